/**
 * The value of a colour of the design system in the present theme, for canvas and exported images,
 * which know no custom properties.
 * @param {...string} names such as "accent"
 * @returns {Object<string, string>} colours by name
 */
export function colours(...names) {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const values = {};
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    values[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return values;
}
