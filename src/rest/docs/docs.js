// Adds the controls that need a script. The page is complete without them.
(() => {
  const nav = document.querySelector("nav");
  const entries = [...nav.querySelectorAll("li")].map((item) => ({
    item,
    text: document.getElementById(item.querySelector("a").hash.slice(1)).textContent.toLowerCase(),
  }));

  /** Keeps the entries of the contents whose part of the page has all of these words. */
  function filter(typed) {
    const words = typed.toLowerCase().split(/\s+/);
    for (const { item, text } of entries) item.hidden = !words.every((word) => text.includes(word));
    for (const list of nav.querySelectorAll("ul")) {
      list.hidden = [...list.children].every(({ hidden }) => hidden);
      const heading = list.previousElementSibling;
      if (heading.matches("h2")) heading.hidden = list.hidden;
    }
  }

  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Filter";
  input.ariaLabel = "Filter the contents";
  input.addEventListener("input", () => filter(input.value));
  nav.querySelector(".brand").after(input);

  // Without this, Safari does not scroll it with the keyboard.
  for (const text of document.querySelectorAll("pre")) if (text.scrollWidth > text.clientWidth) text.tabIndex = 0;

  // Browsers have no clipboard for a page from another machine over plain HTTP.
  if (navigator.clipboard === undefined) return;
  for (const example of document.querySelectorAll(".example")) {
    const button = document.createElement("button");
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(example.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    example.append(button);
  }
})();
