const items = [...document.querySelectorAll("#questions details")], find = document.querySelector(".bar input");
let chosen = "";
function show() {
  const words = find.value.toLowerCase();
  for (const item of items)
    item.hidden = (chosen && item.dataset.won !== chosen) || (words && !item.textContent.toLowerCase().includes(words));
}
for (const button of document.querySelectorAll(".bar button"))
  button.onclick = () => {
    chosen = button.dataset.won;
    for (const other of document.querySelectorAll(".bar button")) other.setAttribute("aria-pressed", other === button);
    show();
  };
find.oninput = show;
