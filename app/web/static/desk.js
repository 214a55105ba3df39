// The desk in the browser: answers as they come, the page beside them, the keyboard. Everything else is links and htmx.

const viewer = document.getElementById("viewer");
const status = document.getElementById("status");
const find = (selector, within = document) => within.querySelector(selector);
const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];
const say = text => { status.textContent = text; };

// Requests that have no source of their own wait for one another, the last one only: those that may overlap name one.

// --- answers as they come

function listen(turn) {
  const address = turn.dataset.stream, place = find("[data-pieces]", turn);
  delete turn.dataset.stream;
  say(status.dataset.answering);
  const events = new EventSource(address);
  let text = null;
  events.addEventListener("piece", event => {
    if (!text) {
      text = document.createElement("p");
      text.className = "pieces";
      place.replaceChildren(text);
    }
    text.append(JSON.parse(event.data));
    follow(turn);
  });
  events.addEventListener("done", async () => {
    events.close();
    await htmx.ajax("GET", turn.dataset.done, {target: turn, swap: "outerHTML"});
    const done = document.getElementById(turn.id);
    say(status.dataset.answered);
    follow(done);
    const first = find(".answer .cite, .answer .figure", done) || find("[data-nearest] a", done);
    if (!matchMedia("(min-width: 1100px)").matches) return;
    if (first) open(first, "&by=itself");
    else viewer.replaceChildren();  // the page of an earlier answer
  });
  events.addEventListener("error", () => {
    if (events.readyState !== EventSource.CLOSED) return;  // it tries again by itself
    say(status.dataset.lost);
    place.replaceChildren(Object.assign(document.createElement("p"), {className: "error", textContent: status.dataset.lost}));
  });
}

function follow(turn) {
  turn?.scrollIntoView({block: "nearest"});
}

// --- the page beside the answer

function showFrame() {
  const scroll = find("[data-scroll]", viewer) || find("[data-scroll]");
  const frame = scroll && find("[data-frame]", scroll);
  if (!scroll) return;
  if (!frame) { scroll.scrollTop = 0; return; }
  const inside = frame.getBoundingClientRect(), around = scroll.getBoundingClientRect();
  scroll.scrollTop += inside.top - around.top - Math.max(40, (around.height - inside.height) / 3);
}

function closeSheet() {
  const was = find(".open-cite");
  stopReading();
  viewer.replaceChildren();
  was?.focus();
}

function markOpen(link) {
  for (const other of findAll(".open-cite")) other.classList.remove("open-cite");
  if (link?.closest(".turn")) link.classList.add("open-cite");
}

function open(link, by = "") {  // not by a click: htmx may not have seen the link yet
  markOpen(link);
  htmx.ajax("GET", link.getAttribute("hx-get") + by, {source: viewer, target: viewer, swap: "innerHTML"});
}

// --- what is told to the log of use: how long a page was open, that a text was copied

let reading = null;

function tell(kind, told) {
  navigator.sendBeacon("/signal", new URLSearchParams({kind, ...told}));
}

function stopReading() {
  if (reading) tell("dwell", {...reading.told, ms: Math.round(performance.now() - reading.since)});
  reading = null;
}

function startReading(by) {
  stopReading();
  const turn = find("input[name=turn]", viewer), citation = find("input[name=citation]", viewer);
  if (turn && citation) reading = {since: performance.now(), told: {turn: turn.value, n: citation.value, by}};
}

addEventListener("pagehide", stopReading);

function stepCitation(by) {
  const turn = find(".open-cite")?.closest(".turn") || findAll(".turn").at(-1);
  if (!turn) return;
  const links = findAll(".answer .cite, .sources .source", turn);
  const at = links.indexOf(find(".open-cite", turn));
  const next = links[at < 0 ? 0 : (at + by + links.length) % links.length];
  if (!next) return;
  const folded = next.closest("details:not([open])");
  if (folded) folded.open = true;
  next.focus({focusVisible: true});
  open(next);
}

// --- the question

const composer = find("[data-composer]");
const question = document.getElementById("question");

function fit() {
  question.style.height = "auto";
  question.style.height = Math.min(question.scrollHeight, 200) + "px";
}

function ask(text) {
  question.value = text;
  fit();
  question.focus();
}

function addChip(field, text) {
  text = text.trim();
  if (!text || findAll("input[type=hidden]", field).some(input => input.value === text)) return;
  const name = field.dataset.chips, box = find("input:not([type])", field);
  const chip = document.createElement("span");
  chip.className = "chip set";
  const value = Object.assign(document.createElement("input"), {type: "hidden", name, value: text});
  const off = Object.assign(document.createElement("button"), {type: "button", className: "off", textContent: "×"});
  off.setAttribute("aria-label", box.dataset.remove + " " + text);
  off.addEventListener("click", () => { chip.remove(); tellFilters(); box.focus(); });
  chip.append(value, text + " ", off);
  field.insertBefore(chip, box);
  box.value = "";
  tellFilters();
}

function tellFilters() {
  const set = [...findAll(".chip input", composer), ...findAll("select", composer).filter(one => one.value)];
  find("[data-set-filters]", composer).textContent = set.length ? set.map(one => one.value).join(" · ") : "";
}

function takeBoxes() {
  for (const field of findAll("[data-chips]", composer)) addChip(field, find("input:not([type])", field).value);
}

if (composer) {
  question.addEventListener("input", fit);
  question.addEventListener("keydown", event => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      composer.requestSubmit();
    }
  });
  for (const field of findAll("[data-chips]", composer)) {
    const box = find("input:not([type])", field), known = new Set(findAll("option", field).map(one => one.value));
    box.addEventListener("input", () => { if (known.has(box.value)) addChip(field, box.value); });
    box.addEventListener("keydown", event => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      addChip(field, box.value);
    });
  }
  for (const choice of findAll("select", composer)) choice.addEventListener("change", tellFilters);
  composer.addEventListener("submit", takeBoxes, {capture: true});
  document.body.addEventListener("htmx:configRequest", event => {
    if (event.detail.elt === composer && !event.detail.parameters.get?.("question")?.trim()) event.preventDefault();
  });
  question.focus({preventScroll: true});
}

function toggleEvidence(event) {
  const button = event.detail.elt;
  if (!button.matches?.("[data-evidence]")) return;
  const is_open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!is_open));
  if (!is_open) return;
  event.preventDefault();
  event.detail.target.replaceChildren();
}

function keepEditing(event) {  // documents that came in meanwhile are listed once the form is closed
  const rows = event.detail.elt;
  if (!rows.matches?.("#documents tbody") || !find(".editing", rows)) return;
  event.preventDefault();
  rows.dataset.late = "yes";
}

function listLate() {
  const rows = find("#documents tbody[data-late]");
  if (!rows || find(".editing", rows)) return;
  delete rows.dataset.late;
  htmx.trigger(document.body, "documents-changed");
}

function asked(event) {
  const talk = document.getElementById("talk");
  if (!talk || event.detail.requestConfig?.path !== "/ask" || !event.detail.successful) return;
  talk.classList.remove("empty");
  find(".welcome", talk)?.remove();
  const address = event.detail.xhr.getResponseHeader("HX-Push-Url");
  const hidden = find("input[name=conversation]", composer);
  if (address) {
    hidden.value = address.split("/").at(-1);
    htmx.ajax("GET", "/history?conversation=" + hidden.value, {source: "#history", target: "#history", swap: "outerHTML"});
  }
  for (const menu of findAll("details.menu[open]", talk)) menu.open = false;
  if (event.detail.elt === composer) { question.value = ""; question.placeholder = status.dataset.follow; fit(); }
}

// --- small helps: copies, sorted tables, tabs

async function copy(text) {
  await navigator.clipboard.writeText(text);
  say("");
  requestAnimationFrame(() => say(status.dataset.copied));
}

function tableRows(table) {
  return findAll("tr", table).map(row => [...row.cells].map(cell => cell.innerText.trim()));
}

function asCsv(rows) {
  const quoted = cell => {
    if (/^[=+@\t\r-]/.test(cell) && !/^[+-]?[\d.,]+$/.test(cell)) cell = "'" + cell;
    return /[",\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
  };
  return rows.map(row => row.map(quoted).join(",")).join("\r\n");
}

function sortable(table) {
  if (table.dataset.ready) return;
  table.dataset.ready = "yes";
  const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells || [])];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    if (!button.textContent.trim()) button.textContent = "\u00a0";
    button.className = "sort";
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(a.cells[column]?.innerText || "", b.cells[column]?.innerText || "") * (down ? -1 : 1));
      table.tBodies[0].append(...rows);
    });
  });
}

function compare(a, b) {
  const x = amount(a), y = amount(b);
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x !== null ? -1 : 1;
  return a.localeCompare(b);
}

function amount(text) {
  const digits = text.replace(/[^\d.()-]/g, "");
  if (!/\d/.test(digits)) return null;
  const value = parseFloat(digits.replace(/[()]/g, ""));
  return Number.isNaN(value) ? null : digits.startsWith("(") ? -value : value;
}

// --- what is done when a part of the page comes in, and on clicks and keys

function prepare(part) {
  const within = selector => [...(part.matches?.(selector) ? [part] : []), ...findAll(selector, part)];
  for (const turn of within("[data-stream]")) listen(turn);
  for (const table of within("table[data-sortable]")) sortable(table);
  if (within("[data-graph]").length) import("./graph.js").then(graph => within("[data-graph]").forEach(graph.draw));
  if (within("[data-drop]").length) import("./library.js").then(library => within("[data-drop]").forEach(library.take));
  const evidence = part.matches?.(".tabs") && part.closest(".evidence");
  if (evidence && evidence.getBoundingClientRect().top > innerHeight / 2) evidence.scrollIntoView({block: "start"});
  if (within("[data-open-sheet]").length) requestAnimationFrame(showFrame);
}

document.body.addEventListener("htmx:load", event => prepare(event.detail.elt));
document.body.addEventListener("htmx:afterRequest", asked);
document.body.addEventListener("htmx:beforeRequest", toggleEvidence);
document.body.addEventListener("htmx:afterSwap", event => {
  if (event.detail.target === viewer) startReading(event.detail.pathInfo?.requestPath?.includes("by=itself") ? "itself" : "");
});
document.body.addEventListener("htmx:beforeRequest", keepEditing);
document.body.addEventListener("htmx:afterSettle", listLate);
document.body.addEventListener("htmx:sendError", () => say(status.dataset.lost));

const chartShown = find("[data-chart]");  // a row whose figures make no series has none
chartShown?.addEventListener("error", () => { chartShown.parentElement.hidden = true; });
chartShown?.addEventListener("load", () => { chartShown.parentElement.hidden = false; });

const clicks = {
  "[data-example]": one => { ask(one.textContent.trim()); composer.requestSubmit(); },
  "[data-close-sheet]": closeSheet,
  "[data-sheet]": markOpen,
  "[data-help]": () => document.getElementById("help").showModal(),
  "[data-copy]": one => {
    copy(find(one.dataset.copy).innerText);
    tell("copied", {turn: one.closest(".turn")?.id.replace("turn-", "") || ""});
  },
  "[data-copy-table]": one => copy(asCsv(tableRows(find("table", one.closest("figure, section"))))),
  "[data-draw]": one => {
    const chart = find("[data-chart]");
    chart.src = one.dataset.draw;
    chart.alt = one.dataset.alt;
    chart.scrollIntoView({block: "nearest"});
  },
};

document.addEventListener("click", event => {
  for (const [selector, act] of Object.entries(clicks)) {
    const one = event.target.closest(selector);
    if (one) act(one, event);
  }
  for (const menu of findAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("toggle", event => {
  if (event.target.open) find("[data-focus]", event.target)?.focus();
}, {capture: true});

document.addEventListener("change", event => {  // a choice is shown at once, companies side by side once there are two
  const form = event.target.closest?.("[data-submit]")?.form;
  const chosen = form ? findAll("select[name=company]", form) : [];
  if (form && (!chosen.length || chosen.filter(one => one.value).length > 1)) form.requestSubmit();
});

document.addEventListener("input", event => {
  const filter = event.target.dataset?.filter;
  if (!filter) return;
  const words = event.target.value.toLowerCase();
  for (const row of findAll("tbody tr", find(filter))) row.hidden = !row.textContent.toLowerCase().includes(words);
});

const keys = {
  "/": () => question?.focus(),
  "?": () => document.getElementById("help").showModal(),
  "ArrowLeft": () => find("[data-turn=left]", viewer)?.click(),
  "ArrowRight": () => find("[data-turn=right]", viewer)?.click(),
  "ArrowUp": () => stepCitation(-1),
  "ArrowDown": () => stepCitation(1),
};

document.addEventListener("keydown", event => {
  const typing = event.target.matches?.("input, textarea, select, [contenteditable]");
  if (event.key === "Escape" && !find("dialog[open]")) {
    const menu = find("details.menu[open]");
    if (menu) {
      menu.open = false;
      find("summary", menu).focus();
    } else if (typing) event.target.blur();
    else if (viewer.childElementCount) closeSheet();
    return;
  }
  if (event.target.getAttribute?.("role") === "tab" && moveTab(event)) return;
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const inside = event.target.closest?.("[data-graph], dialog, .scroller, [role=tabpanel]");
  if (typing || inside || !plain || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

function moveTab(event) {
  const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (!by) return false;
  const tabs = findAll("[role=tab]", event.target.parentElement);
  const next = tabs[(tabs.indexOf(event.target) + by + tabs.length) % tabs.length];
  next.focus();
  next.click();
  event.preventDefault();
  return true;
}
prepare(document.body);
