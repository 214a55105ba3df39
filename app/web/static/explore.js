// The explorer of the graph: find, expand by a click, filter by type and time, paths between two.

import {add} from "./graph.js";

const explorer = document.querySelector("[data-explorer]");
const place = explorer.querySelector("[data-graph]");
const message = explorer.querySelector("[data-message]");
const until = explorer.querySelector("[data-until]"), shown = explorer.querySelector("[data-until-shown]");
const types = explorer.querySelector("[data-types]");
const hint = message.textContent;
const off = new Set();

async function get(path, given) {
  const answer = await fetch(path + "?" + new URLSearchParams(given), {headers: {"HX-Request": "true"}});
  if (answer.ok) return answer.json();
  const part = new DOMParser().parseFromString(await answer.text(), "text/html");
  message.textContent = part.body.textContent.trim().replace(/\s+/g, " ");
  return null;
}

function filter() {
  const graph = place.graph, last = Number(until.value);
  shown.textContent = until.value;
  graph.batch(() => {
    graph.nodes().forEach(node => node.toggleClass("out", off.has(node.data("type"))));
    graph.edges().forEach(edge => edge.toggleClass("out", (edge.data("years") || []).length > 0 && Math.min(...edge.data("years")) > last));
  });
  place.rename?.();
}

function offer(data) {
  for (const [kind, {label, colour}] of Object.entries(data.types)) {
    if (types.querySelector(`[value="${CSS.escape(kind)}"]`)) continue;
    const line = document.createElement("label"), box = document.createElement("input"), dot = document.createElement("i");
    Object.assign(box, {type: "checkbox", value: kind, checked: true});
    dot.style.background = colour;
    line.append(box, dot, label);
    types.append(line);
    box.addEventListener("change", () => { box.checked ? off.delete(kind) : off.add(kind); filter(); });
  }
  const years = place.graph.edges().toArray().flatMap(edge => edge.data("years") || []);
  if (years.length) {
    const whole = !until.max || until.value === until.max;
    until.min = Math.min(...years);
    until.max = Math.max(...years);
    if (whole) until.value = until.max;
  }
  filter();
}

function around(node, data) {  // new ones stand in a circle about the one that they came with
  const here = node.position(), fresh = data.nodes.filter(one => place.graph.getElementById(one.id).empty());
  fresh.forEach((one, n) => {
    const angle = n / fresh.length * 2 * Math.PI;
    Object.assign(one, {x: here.x + 190 * Math.cos(angle), y: here.y + 150 * Math.sin(angle)});
  });
}

async function expand(node) {
  const data = await get("/graph/near.json", {id: node.id()});
  if (!data) return;
  around(node, data);
  const known = place.graph.nodes().length;
  add(place, data, node.closedNeighborhood());
  offer(data);
  place.tell(node);
  message.textContent = place.graph.nodes().length > known ? `+${place.graph.nodes().length - known}` : hint;
}

async function find(name) {
  const data = await get("/graph/near.json", {name});
  if (!data) return;
  if (!data.nodes.length) { message.textContent = explorer.dataset.nothing; return; }
  add(place, data);
  offer(data);
  const key = name.toLowerCase();
  const found = data.nodes.find(one => [one.name, ...one.aliases].some(known => known.toLowerCase() === key)) ||
    data.nodes.find(one => one.name.toLowerCase().startsWith(key)) || data.nodes[0];
  const node = place.graph.getElementById(found.id);
  place.graph.animate({fit: {eles: node.closedNeighborhood(), padding: 60}, duration: 250});
  place.tell(node);
  message.textContent = hint;
}

async function path(start, goal) {
  const data = await get("/graph/path.json", {start, goal});
  if (!data) return;
  if (!data.edges.length) { message.textContent = explorer.dataset.none; return; }
  place.graph.elements().remove();
  add(place, data, place.graph);
  offer(data);
  place.tell(place.graph.edges());
  requestAnimationFrame(() => place.graph.resize().fit(undefined, 22));
  message.textContent = hint;
}

function typing(form, act) {
  form.addEventListener("submit", event => {
    event.preventDefault();
    const values = [...form.querySelectorAll("input")].map(one => one.value.trim());
    if (values.every(Boolean)) act(...values);
  });
  for (const input of form.querySelectorAll("input")) {
    let waiting;
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(async () => {
        const names = await get("/graph/names.json", {q: input.value});
        document.getElementById("names").replaceChildren(...(names || []).map(name => new Option(name, name)));
        if (form.matches("[data-find]") && names?.includes(input.value)) act(input.value);
      }, 180);
    });
  }
}

function begin() {
  offer(place.drawn);
  place.graph.on("tap", "node", tap => expand(tap.target));
  until.addEventListener("input", filter);
  requestAnimationFrame(() => place.graph.resize().fit(undefined, 36));  // the kinds of names have taken room
  const about = explorer.dataset.about.toLowerCase();
  if (about) place.tell(place.graph.nodes().filter(node => node.data("name").toLowerCase().startsWith(about)).first());
}

if (place?.drawn) begin();
else place?.addEventListener("drawn", begin);
explorer.querySelector("[data-all]").addEventListener("click", () => { location.href = "/graph"; });
typing(explorer.querySelector("[data-find]"), find);
typing(explorer.querySelector("[data-path]"), path);
