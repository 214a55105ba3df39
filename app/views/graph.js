"use strict";
const graph = JSON.parse(document.getElementById("graph").textContent);
const svg = document.getElementById("picture"), scene = document.getElementById("scene");
const about = document.getElementById("about"), NS = "http://www.w3.org/2000/svg";
const byId = new Map(graph.nodes.map(node => [node.id, node]));
const links = graph.links.map(link => ({...link, source: byId.get(link.head), target: byId.get(link.tail)}));

function element(name, attributes, parent) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

// Layout by Fruchterman and Reingold (1991): nodes repel, relations pull, a little gravity holds the parts together,
// and it cools to a stop. Starts on a spiral, so that the same graph always gives the same picture.
const pair = link => [link.head, link.tail].sort().join(" ");
function layout(steps) {
  for (const link of links) link.springs = links.filter(other => pair(other) === pair(link)).length;
  const nodes = graph.nodes, near = nodes.length < 40 ? 128 : 96, wide = 1.45;
  nodes.forEach((node, i) => {
    const angle = i * 2.39996, radius = near * .6 * Math.sqrt(i + .5);
    Object.assign(node, {x: radius * Math.cos(angle) * wide, y: radius * Math.sin(angle)});
  });
  for (let step = 0; step < steps; step++) {
    const heat = 46 * (1 - step / steps) + .3;
    for (const node of nodes) Object.assign(node, {dx: -node.x * .11, dy: -node.y * .2});
    for (let i = 0; i < nodes.length; i++) for (let j = i + 1; j < nodes.length; j++) {
      const a = nodes[i], b = nodes[j], x = a.x - b.x || .01, y = (a.y - b.y || .01) * wide;
      const d2 = x * x + y * y + 25;
      if (d2 > 20 * near * near) continue;
      const force = near * near / d2;
      a.dx += x * force; a.dy += y * force; b.dx -= x * force; b.dy -= y * force;
    }
    for (const {source: a, target: b, springs} of links) {
      const x = b.x - a.x, y = b.y - a.y, force = Math.hypot(x, y) / near * .32 / springs;
      a.dx += x * force; a.dy += y * force; b.dx -= x * force; b.dy -= y * force;
    }
    for (const node of nodes) {
      const size = Math.hypot(node.dx, node.dy) || 1, move = Math.min(size, heat) / size;
      node.x += node.dx * move; node.y += node.dy * move;
    }
  }
}

function curve(link) {
  const {source: a, target: b} = link, x = b.x - a.x, y = b.y - a.y, d = Math.hypot(x, y) || 1;
  const bend = link.bend * 34, mx = (a.x + b.x) / 2 - y / d * bend, my = (a.y + b.y) / 2 + x / d * bend;
  const out = Math.hypot(b.x - mx, b.y - my) || 1, stop = b.size + 5;
  link.at = t => ({x: (1 - t) ** 2 * a.x + 2 * t * (1 - t) * mx + t * t * b.x,
                   y: (1 - t) ** 2 * a.y + 2 * t * (1 - t) * my + t * t * b.y});
  write(link.label, link.at(link.along));
  return "M" + a.x + " " + a.y + "Q" + mx + " " + my + " " +
         (b.x - (b.x - mx) / out * stop) + " " + (b.y - (b.y - my) / out * stop);
}

function write(text, {x, y}) {
  text.setAttribute("x", x);
  text.setAttribute("y", y);
}

// Words go where they cover least of what stands already: a caption below, above or beside its circle, a relation's
// name anywhere along its line.
function box(text, x, y, size) {
  const wide = [...text].reduce((sum, char) => sum + (char > "\u2e80" ? 1 : .56), 0) * size / 2;
  return [x - wide, y - size, x + wide, y + size * .3];
}
function shared(one, other) {
  const x = Math.min(one[2], other[2]) - Math.max(one[0], other[0]), y = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  return x > 0 && y > 0 ? x * y : 0;
}
function tidy() {
  const taken = graph.nodes.map(n => [n.x - n.size, n.y - n.size, n.x + n.size, n.y + n.size]);
  const best = (places, at) => {
    const costs = places.map((place, i) => taken.reduce((sum, other) => sum + shared(at(place), other), i * 9));
    const chosen = places[costs.indexOf(Math.min(...costs))];
    taken.push(at(chosen));
    return chosen;
  };
  for (const node of [...graph.nodes].sort((a, b) => b.size - a.size)) {
    const half = node.shown.length * .28 * node.font + node.size + 6;
    const places = [[0, node.size + 14], [0, -node.size - 6], [half, 4], [-half, 4]];
    const [x, y] = best(places, ([x, y]) => box(node.shown, node.x + x, node.y + y, node.font));
    write(node.caption, {x, y});
    node.reach = box(node.shown, x, y, node.font);
  }
  for (const link of [...links].sort((a, b) => length(a) - length(b))) {
    const at = t => { const {x, y} = link.at(t); return box(link.label_text, x, y, 11); };
    link.along = best([.5, .44, .56, .38, .62, .32, .68, .26, .74, .2, .8], at);
    write(link.label, link.at(link.along));
  }
}
const length = ({source: a, target: b}) => Math.hypot(a.x - b.x, a.y - b.y);

function place() {
  for (const link of links) for (const path of link.paths) path.setAttribute("d", curve(link));
  for (const node of graph.nodes) node.drawn.setAttribute("transform", "translate(" + node.x + " " + node.y + ")");
}

function text(tag, content, parent) {
  const made = document.createElement(tag);
  made.textContent = content;
  parent.append(made);
  return made;
}

function show(nodes, chosen, tell) {
  const near = new Set(nodes);
  for (const node of graph.nodes) node.drawn.classList.toggle("faded", near.size > 0 && !near.has(node));
  for (const link of links) {
    link.drawn.classList.toggle("faded", near.size > 0 && !chosen.includes(link));
    link.drawn.classList.toggle("chosen", chosen.includes(link));
  }
  about.replaceChildren();
  tell();
}

function tellLink(link) {
  text("p", link.source.name + " → " + link.label_text + " → " + link.target.name, about).style.fontWeight = "600";
  if (link.ended) text("small", link.ended, about);
  for (const said of link.said) { text("q", said.text, about); text("small", said.where, about); }
}

function tellNode(node) {
  text("h2", node.name, about);
  text("p", node.about, about);
  for (const link of links) if (link.source === node || link.target === node) tellLink(link);
}

function draw() {
  const pairs = new Map();
  for (const link of links) {
    const rank = pairs.get(pair(link)) || 0;
    pairs.set(pair(link), rank + 1);
    link.bend = (rank % 2 ? -1 : 1) * (rank ? Math.ceil(rank / 2) + .6 : .45) * (link.head < link.tail ? 1 : -1);
    link.drawn = element("g", {class: "edge" + (link.weak ? " weak" : "")}, scene);
    link.paths = [element("path", {"marker-end": "url(#arrow)"}, link.drawn), element("path", {class: "hit"}, link.drawn)];
    link.label = element("text", {}, link.drawn);
    link.label.textContent = link.label_text;
    link.along = .5;
    link.drawn.addEventListener("click", () => show([link.source, link.target], [link], () => tellLink(link)));
  }
  for (const node of graph.nodes) {
    node.drawn = element("g", {class: "node", tabindex: 0}, scene);
    element("circle", {r: node.size, fill: graph.types[node.type].colour}, node.drawn);
    node.font = node.size > 15 ? 13 : 11.5;
    node.shown = node.name.length > 34 ? node.name.slice(0, 33) + "…" : node.name;
    node.caption = element("text", {y: node.size + 14, "font-size": node.font}, node.drawn);
    node.caption.textContent = node.shown;
    element("title", {}, node.drawn).textContent = node.name + " (" + graph.types[node.type].label + ")";
    node.drawn.addEventListener("click", () => {
      const own = links.filter(link => link.source === node || link.target === node);
      show([node, ...own.flatMap(link => [link.source, link.target])], own, () => tellNode(node));
    });
    drag(node);
  }
  for (const {label, colour} of Object.values(graph.types)) {
    const item = text("span", "", document.getElementById("legend"));
    text("i", "", item).style.background = colour;
    item.append(label);
  }
}

let view = {x: 0, y: 0, zoom: 1};
function frame() {
  const box = svg.getBoundingClientRect();
  const xs = graph.nodes.flatMap(n => [n.x + Math.min(-n.size, n.reach[0]), n.x + Math.max(n.size, n.reach[2])]);
  const ys = graph.nodes.flatMap(n => [n.y + Math.min(-n.size, n.reach[1]), n.y + Math.max(n.size, n.reach[3])]);
  const wide = Math.max(...xs) - Math.min(...xs) + 40, high = Math.max(...ys) - Math.min(...ys) + 40;
  view.zoom = Math.min(1.6, box.width / wide, box.height / high);
  view.x = box.width / 2 - (Math.max(...xs) + Math.min(...xs)) / 2 * view.zoom;
  view.y = box.height / 2 - (Math.max(...ys) + Math.min(...ys)) / 2 * view.zoom;
  look();
}
function look() {
  scene.setAttribute("transform", "translate(" + view.x + " " + view.y + ") scale(" + view.zoom + ")");
}
function drag(node) {
  node.drawn.addEventListener("pointerdown", event => {
    event.stopPropagation();
    node.drawn.setPointerCapture(event.pointerId);
    const move = e => { node.x += e.movementX / view.zoom; node.y += e.movementY / view.zoom; place(); };
    node.drawn.addEventListener("pointermove", move);
    const rest = () => { node.drawn.removeEventListener("pointermove", move); tidy(); };
    node.drawn.addEventListener("pointerup", rest, {once: true});
  });
}
svg.addEventListener("pointerdown", event => {
  const move = e => { view.x += e.movementX; view.y += e.movementY; look(); };
  svg.addEventListener("pointermove", move);
  window.addEventListener("pointerup", () => svg.removeEventListener("pointermove", move), {once: true});
});
svg.addEventListener("wheel", event => {
  event.preventDefault();
  const box = svg.getBoundingClientRect(), x = event.clientX - box.x, y = event.clientY - box.y;
  const factor = Math.exp(-event.deltaY / 600);
  view = {x: x - (x - view.x) * factor, y: y - (y - view.y) * factor, zoom: view.zoom * factor};
  look();
}, {passive: false});
svg.addEventListener("dblclick", () => show([], [], () => text("p", graph.hint, about)));
window.addEventListener("resize", frame);

if (graph.nodes.length) { layout(graph.nodes.length > 150 ? 160 : 420); draw(); place(); tidy(); frame(); }
