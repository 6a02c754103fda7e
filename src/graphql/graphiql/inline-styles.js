// The page's policy permits <style> elements with its nonce only, and no style attributes. The editor makes both. So they get the
// nonce here, and the attributes are set through the object model, which the policy permits.

const { nonce } = document.currentScript;
const { createElement } = Document.prototype;
const { insertAdjacentHTML, setAttribute } = Element.prototype;
const innerHTML = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
const INSERT = { beforebegin: "before", afterbegin: "prepend", beforeend: "append", afterend: "after" };

const needsNothing = (element, html) =>
  element instanceof HTMLTemplateElement || !(element instanceof HTMLElement) || !/style\s*=/i.test(html);

/** The policy looks at style attributes when they are parsed, so they get another name before. */
function toNodes(html) {
  const template = createElement.call(document, "template");
  const renamed = String(html).replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, " data-inline-style="));
  innerHTML.set.call(template, renamed);
  for (const element of template.content.querySelectorAll("[data-inline-style]")) {
    element.style.cssText = element.dataset.inlineStyle;
    delete element.dataset.inlineStyle;
  }
  return template.content;
}

Document.prototype.createElement = function (name, options) {
  const element = createElement.call(this, name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};
Object.defineProperty(Element.prototype, "innerHTML", {
  ...innerHTML,
  set(html) {
    if (needsNothing(this, html)) innerHTML.set.call(this, html);
    else this.replaceChildren(toNodes(html));
  },
});
Element.prototype.insertAdjacentHTML = function (position, html) {
  if (needsNothing(this, html)) insertAdjacentHTML.call(this, position, html);
  else this[INSERT[position.toLowerCase()]](toNodes(html));
};
Element.prototype.setAttribute = function (name, value) {
  if (name === "style") this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
