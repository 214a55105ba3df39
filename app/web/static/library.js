// Files and folders dropped on the library, sent one after another.

export function take(area) {
  if (area.dataset.ready) return;
  area.dataset.ready = "yes";
  const sent = area.querySelector("[data-sent]");
  for (const input of area.querySelectorAll("[data-files]"))
    input.addEventListener("change", () => {
      send([...input.files].map(file => ({file, name: file.webkitRelativePath || file.name})), area, sent);
      input.value = "";
    });
  area.addEventListener("dragover", event => { event.preventDefault(); area.classList.add("over"); });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", async event => {
    event.preventDefault();
    area.classList.remove("over");
    const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry()).filter(Boolean);
    const found = [];
    for (const entry of entries) await walk(entry, "", found);
    send(found, area, sent);
  });
}

async function walk(entry, folder, found) {
  const name = folder + entry.name;
  if (entry.isFile) {
    found.push({file: await new Promise((good, bad) => entry.file(good, bad)), name});
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const part = await new Promise((good, bad) => reader.readEntries(good, bad));
    if (!part.length) return;
    for (const inner of part) await walk(inner, name + "/", found);
  }
}

async function send(files, area, sent) {
  for (const {file, name} of files) {
    if (name.split("/").some(part => part.startsWith("."))) continue;
    const line = document.createElement("li"), bar = document.createElement("progress");
    bar.max = 1;
    bar.setAttribute("aria-label", name);
    line.append(name + " ", bar);
    sent.append(line);
    const error = await put(file, name, share => { bar.value = share; });
    if (error) {
      line.replaceChildren(name + ": " + error);
      line.className = "warn";
    } else {
      line.remove();
      htmx.ajax("GET", "/library/jobs", {target: "#jobs", swap: "innerHTML"});
    }
  }
}

function put(file, name, tell) {
  return new Promise(good => {
    const request = new XMLHttpRequest();
    request.open("PUT", "/library/files/" + name.split("/").map(encodeURIComponent).join("/"));
    request.upload.addEventListener("progress", event => event.lengthComputable && tell(event.loaded / event.total));
    request.addEventListener("load", () => good(request.status === 200 ? "" : reason(request)));
    request.addEventListener("error", () => good(document.getElementById("status").dataset.lost));
    request.send(file);
  });
}

function reason(request) {
  try {
    return JSON.parse(request.responseText).error;
  } catch {
    return request.statusText || String(request.status);
  }
}
