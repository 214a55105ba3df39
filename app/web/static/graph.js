// Pictures of the graph: positions come from the server, so that nothing has to move before it can be read.

import cytoscape from "./vendor/cytoscape.esm.min.js";

const colour = name => {  // a colour of the style sheet as numbers, for the canvas
  const probe = document.createElement("i");
  probe.hidden = true;
  document.body.append(probe);
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
};

function look(many, scale = 1) {
  const ink = colour("--ink"), paper = colour("--card"), soft = colour("--strong-line"), link = colour("--link");
  return [
    {selector: "node", style: {
      "background-color": "data(colour)", width: node => node.data("size") * scale, height: node => node.data("size") * scale, label: many ? "" : "data(name)",
      color: ink, "font-size": 12, "font-family": "system-ui, sans-serif", "text-valign": "bottom", "text-margin-y": 3,
      "text-max-width": 130, "text-wrap": many ? "none" : "wrap", "min-zoomed-font-size": many ? 0 : 5,
      "text-outline-color": paper, "text-outline-width": 2, "border-width": 1, "border-color": paper,
    }},
    {selector: ".named", style: {label: "data(name)", "z-index": 9}},
    {selector: "edge", style: {
      width: 1.3, "line-color": soft, "target-arrow-color": soft, "target-arrow-shape": many ? "none" : "triangle",
      "arrow-scale": .8, "curve-style": many ? "haystack" : "bezier", opacity: many ? .55 : 1,
      ...(many ? {} : {label: "data(label)", "font-size": 10, color: colour("--soft"), "text-rotation": "autorotate",
        "text-outline-color": paper, "text-outline-width": 2, "min-zoomed-font-size": 7}),
    }},
    {selector: "edge[?weak]", style: many ? {opacity: .25} : {"line-style": "dashed"}},
    {selector: ".chosen", style: {"line-color": link, "target-arrow-color": link, "border-color": link, "border-width": 3, width: node => node.isNode() ? node.data("size") * scale : 2.4, opacity: 1}},
    {selector: ".faded", style: {opacity: .14}},
    {selector: ".out", style: {display: "none"}},
  ];
}

function elements(data) {
  return [
    ...data.nodes.map(node => ({group: "nodes", position: {x: node.x, y: node.y},
      data: {...node, colour: data.types[node.type]?.colour || "#777"}})),
    ...data.edges.map(edge => ({group: "edges", data: edge})),
  ];
}

// Of a large picture only names that have room are written, those of the largest nodes first; all of one size.
const LETTER = 12, MOST_NAMES = 140;

function writeNames(graph) {
  const zoom = graph.zoom(), size = LETTER / zoom, taken = [], chosen = [];
  const {x1, y1, x2, y2} = graph.extent();
  for (const node of graph.nodes(":visible").sort((a, b) => b.data("size") - a.data("size")).toArray()) {
    const {x, y} = node.position(), own = node.data("name");
    if (x < x1 || x > x2 || y < y1 || y > y2) continue;
    const half = own.length * size * .3, top = y + node.height() / 2;
    const box = [x - half, top, x + half, top + size * 1.3];
    if (taken.some(other => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
    taken.push(box);
    chosen.push(node);
    if (chosen.length === MOST_NAMES) break;
  }
  graph.batch(() => {
    graph.nodes(".named").removeClass("named");
    graph.collection(chosen).addClass("named").style({"font-size": size, "text-outline-width": 2 / zoom, "text-margin-y": 2 / zoom});
  });
}

export async function draw(place) {
  if (place.dataset.ready) return;
  place.dataset.ready = "yes";
  const waiting = text("p", place.dataset.waiting || "…", place, "wait");
  const data = await (await fetch(place.dataset.graph)).json();
  waiting.remove();
  const canvas = document.createElement("div");
  canvas.className = "canvas";
  place.append(canvas);
  const many = data.nodes.length > 150;
  const graph = cytoscape({
    container: canvas, elements: elements(data), style: look(many), layout: {name: "preset", fit: true, padding: 30},
    maxZoom: 4, minZoom: .05, textureOnViewport: many, hideEdgesOnViewport: false,
    pixelRatio: many ? 1 : "auto",
  });
  const scale = many ? Math.max(1, .55 / graph.zoom() * Math.sqrt(300 / Math.max(300, data.nodes.length))) : 1;  // dots of a large picture are seen from afar
  if (scale > 1) graph.style(look(many, scale));
  legend(place, data.types);
  const about = Object.assign(document.createElement("div"), {className: "about"});
  about.setAttribute("aria-live", "polite");
  place.append(about);
  if (many) {
    let waiting;
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(() => writeNames(graph), 90); };
    graph.on("viewport add remove resize", soon);
    writeNames(graph);
    place.rename = soon;
  }
  graph.on("tap", event => choose(graph, event.target === graph ? null : event.target, about));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => graph.style(look(many, scale)));
  place.graph = graph;
  place.tell = one => choose(graph, one, about);
  place.drawn = data;
  place.dispatchEvent(new CustomEvent("drawn"));
}

export function add(place, data, stay) {
  const graph = place.graph, known = new Set(graph.elements().map(one => one.id()));
  const fresh = elements(data).filter(one => !known.has(one.data.id));
  const added = graph.add(fresh);
  if (!stay) graph.animate({fit: {eles: added.nonempty() ? added.closedNeighborhood() : graph.elements(), padding: 40}, duration: 250});
  return added;
}

function choose(graph, one, about) {
  graph.elements().removeClass("chosen faded");
  about.replaceChildren();
  requestAnimationFrame(() => graph.resize());  // the words below take room, or give it back
  if (!one || one.empty()) return;
  if (one.length > 1) { for (const edge of one.toArray()) tellEdge(edge, about); return; }
  const near = one.isNode() ? one.closedNeighborhood() : one.union(one.connectedNodes());
  graph.elements().not(near).addClass("faded");
  one.addClass("chosen");
  if (one.isNode()) tellNode(one, about);
  else tellEdge(one, about);
}

function text(tag, content, parent, className = "") {
  const made = document.createElement(tag);
  made.textContent = content;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

function tellNode(node, about) {
  const data = node.data();
  text("h3", data.name, about);
  if (data.aliases?.length) text("p", data.aliases.join(" · "), about, "soft small");
  for (const edge of node.connectedEdges().toArray().slice(0, 40)) tellEdge(edge, about);
}

function tellEdge(edge, about) {
  const data = edge.data(), block = text("div", "", about, "told-edge");
  text("p", `${edge.source().data("name")} — ${data.label} → ${edge.target().data("name")}`, block).style.fontWeight = 600;
  if (data.ended) text("p", data.ended, block, "soft small");
  for (const said of data.said || []) {
    const link = text("a", "", block, "quoted");
    link.href = said.url;
    link.setAttribute("hx-get", said.url);
    link.setAttribute("hx-target", "#viewer");
    link.setAttribute("hx-swap", "innerHTML");
    link.dataset.sheet = "";
    text("q", said.text, link);
    text("span", ` ${said.source}${said.page ? ", " + said.page : ""}`, link, "where");
  }
  htmx.process(block);
}

function legend(place, types) {
  const list = text("div", "", place, "legend");
  for (const {label, colour: shade} of Object.values(types)) {
    const item = text("span", "", list);
    text("i", "", item).style.background = shade;
    item.append(label);
  }
}
