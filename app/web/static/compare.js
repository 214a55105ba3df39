// Comparing: no more columns than can be read, Enter asks, a file of questions is sent as it is.

const form = document.querySelector("[data-comparing]");
const boxes = [...form.querySelectorAll("[name=column]")];
const most = Number(form.querySelector("[data-most]").dataset.most);
const wrong = form.querySelector("[data-wrong]");

function limit() {
  const full = boxes.filter(box => box.checked).length >= most;
  for (const box of boxes) box.disabled = full && !box.checked;
}
for (const box of boxes) box.addEventListener("change", limit);
form.addEventListener("keydown", event => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.target.id !== "question") return;
  event.preventDefault();
  form.requestSubmit();
});
form.querySelector("[data-questions]").addEventListener("change", async event => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  const given = new URLSearchParams([["name", file.name], ...boxes.filter(box => box.checked).map(box => ["column", box.value])]);
  const answer = await fetch("/compare/file?" + given, {method: "PUT", body: file});
  const told = await answer.json();
  wrong.textContent = told.error || "";
  if (told.id) htmx.ajax("GET", "/compare/" + told.id, {target: "#compared", swap: "innerHTML"});
});
limit();
