// Loaded in the head, before the page paints, so that a chosen theme never flashes the other one.
// Without a choice the page follows the system.

(() => {
  const root = document.documentElement;
  const chosen = localStorage.getItem("rover.theme");
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
      root.dataset.theme = next;
      localStorage.setItem("rover.theme", next);
    });
  });
})();
