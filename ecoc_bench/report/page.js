"use strict";

// Sorting: every heading of a sortable table becomes a button; a second press turns the order.
const collator = new Intl.Collator("en", { numeric: true });

function orderOf(row, index) {
  const cell = row.cells[index];
  const given = cell.dataset.order;
  return given === undefined || given === "" ? cell.textContent.trim() : Number(given);
}

// Numbers before words: a cell without a number stays at the end, whatever the direction.
function compare(a, b, sign) {
  const numbers = typeof a === "number";
  if (numbers !== (typeof b === "number")) return numbers ? -1 : 1;
  return sign * (numbers ? a - b : collator.compare(a, b));
}

function sort(table, head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [orderOf(row, head.cellIndex), row]);
  rows.sort(([a], [b]) => compare(a, b, down ? -1 : 1));
  body.append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  for (const head of table.tHead.rows[0].cells) {
    if ("fixed" in head.dataset) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head));
    head.append(button);
  }
}

// Filtering: all words of the box, and every select box that names something.
function chosen(row, box) {
  if (box.value === "") return true;
  return box.value === "last" ? "last" in row.dataset : row.dataset[box.name] === box.value;
}

function filtered(form) {
  const rows = [...document.getElementById("all").tBodies[0].rows];
  const boxes = [...form.querySelectorAll("select")];
  function filter() {
    const words = form.elements.words.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const row of rows) {
      const found = words.every((word) => row.dataset.words.includes(word));
      row.hidden = !(found && boxes.every((box) => chosen(row, box)));
      shown += !row.hidden;
    }
    document.getElementById("shown").textContent = `${shown} of ${rows.length} shown`;
  }

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("change", filter); // for select boxes that send no input
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  filter();
}

for (const form of document.querySelectorAll("#filters")) filtered(form); // not every page has it

// The theme is the system's until the button is pressed, and again when the page is opened anew.
const root = document.documentElement;
const button = document.getElementById("theme");
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";

function label() {
  button.textContent = isDark() ? "Light theme" : "Dark theme";
}

button.hidden = false;
button.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  label();
});
system.addEventListener("change", label);
label();

// On paper nothing stays folded.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
