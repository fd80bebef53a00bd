"use strict";
(function () {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  function theme(name) {
    root.dataset.theme = name;
    button.textContent = name === "dark" ? "light" : "dark";
  }
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  theme(prefersDark ? "dark" : "light");
  function turn() { theme(root.dataset.theme === "dark" ? "light" : "dark"); }
  button.addEventListener("click", turn);

  // With a script the parts of the page are tabs; a link into the source opens the tab that has it.
  const tabs = Array.from(document.querySelectorAll("nav [data-panel]"));
  const panels = Array.from(document.querySelectorAll(".panel"));
  function open(id) {
    for (const panel of panels) panel.toggleAttribute("hidden", panel.id !== id);
    for (const tab of tabs) {
      if (tab.dataset.panel === id) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
  }
  for (const tab of tabs) {
    tab.addEventListener("click", function (event) { event.preventDefault(); open(tab.dataset.panel); history.replaceState(null, "", "#" + tab.dataset.panel); });
  }
  let shown = null;
  document.addEventListener("click", function (event) {
    const link = event.target.closest(".flow a");
    if (!link) return;
    event.preventDefault();
    const place = document.getElementById(link.getAttribute("href").slice(1));
    if (!place) return;
    open("panel-answer");
    if (shown) shown.classList.remove("shown");
    shown = place;
    place.classList.add("shown");
    place.scrollIntoView({ block: "center" });
  });
  function isPanel(id) { return panels.some(function (panel) { return panel.id === id; }); }
  if (tabs.length > 0) open(isPanel(location.hash.slice(1)) ? location.hash.slice(1) : "panel-answer");

  const data = JSON.parse(document.getElementById("data").textContent);
  const steps = data.steps;
  const slider = document.getElementById("slider");
  const parts = Array.from(document.querySelectorAll("[data-on]"), function (part) {
    return [part, part.dataset.on.split(" ").map(function (run) {
      const ends = run.split("-").map(Number);
      return [ends[0], ends[ends.length - 1]];
    })];
  });
  const told = Array.from(document.querySelectorAll(".story li"));
  let now = -1;
  let line = null;

  function show(step, isQuiet) {
    if (!slider) return;
    step = Math.max(0, Math.min(steps.length - 1, step));
    if (step === now) return;
    now = step;
    for (const [part, runs] of parts) {
      part.toggleAttribute("hidden", !runs.some(function (run) { return run[0] <= step && step <= run[1]; }));
    }
    const it = steps[step];
    const where = "step " + (step + 1) + " of " + steps.length + ", line " + it.line + ": ";
    const result = it.result ? " — " + it.result : "";
    document.getElementById("now").replaceChildren(where, code(it.text), ...prose(result));
    slider.value = step;
    slider.setAttribute("aria-valuetext", where + it.text + result.replaceAll("`", ""));
    if (line) line.removeAttribute("aria-current");
    line = document.getElementById("F" + it.file + "L" + it.line);
    if (line) {
      line.setAttribute("aria-current", "step");
      const box = line.closest(".source");
      const top = line.offsetTop - box.offsetTop;
      if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
    }
    for (const item of told) item.toggleAttribute("aria-current", Number(item.dataset.step) === step);
    reveal();
    if (!isQuiet) history.replaceState(null, "", "#step=" + (step + 1));
  }
  function code(text) {
    const part = document.createElement("code");
    part.textContent = text;
    return part;
  }
  // What stands in backquotes is code.
  function prose(words) {
    return words.split("`").map(function (part, index) { return index % 2 === 0 ? part : code(part); });
  }
  // What the step is about is in view, also where the picture is wider than the window.
  function reveal() {
    const box = document.querySelector(".picture");
    const hit = Array.from(box.querySelectorAll(".hit, .new")).find(function (part) { return part.getClientRects().length > 0; });
    if (!hit) return;
    const [here, there] = [box.getBoundingClientRect(), hit.getBoundingClientRect()];
    if (there.right > here.right || there.left < here.left) box.scrollLeft += there.left - here.left - 24;
    if (there.bottom > here.bottom || there.top < here.top) box.scrollTop += there.top - here.top - 60;
  }
  function story(direction) {
    const places = told.map(function (item) { return Number(item.dataset.step); });
    const ahead = direction > 0 ? places.find(function (place) { return place > now; }) : places.reverse().find(function (place) { return place < now; });
    if (ahead !== undefined) show(ahead);
  }
  function tab(number) { if (tabs[number]) open(tabs[number].dataset.panel); }
  const keys = {
    j: function () { show(now + 1); }, k: function () { show(now - 1); },
    ArrowRight: function () { show(now + 1); }, ArrowLeft: function () { show(now - 1); },
    J: function () { story(1); }, K: function () { story(-1); },
    1: function () { tab(0); }, 2: function () { tab(1); }, 3: function () { tab(2); }, 4: function () { tab(3); },
    Home: function () { show(0); }, End: function () { show(steps.length - 1); },
    t: turn
  };
  document.addEventListener("keydown", function (event) {
    const isElsewhere = event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (isElsewhere || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  if (slider) {
    slider.addEventListener("input", function () { show(Number(slider.value)); });
    document.getElementById("next").addEventListener("click", keys.j);
    document.getElementById("previous").addEventListener("click", keys.k);
    document.getElementById("later").addEventListener("click", keys.J);
    document.getElementById("earlier").addEventListener("click", keys.K);
    for (const item of told) {
      item.addEventListener("click", function () { show(Number(item.dataset.step)); });
      item.addEventListener("keydown", function (event) { if (event.key === "Enter") show(Number(item.dataset.step)); });
    }
    const asked = /^#step=(\d+)$/.exec(location.hash);
    show(asked ? Number(asked[1]) - 1 : steps.length - 1, true);
    window.addEventListener("resize", reveal);
    window.addEventListener("hashchange", function () {
      const asked = /^#step=(\d+)$/.exec(location.hash);
      if (asked) show(Number(asked[1]) - 1, true);
    });
  }
})();
