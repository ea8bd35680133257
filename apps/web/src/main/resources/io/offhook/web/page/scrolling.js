// Browsers limit the height of an element (Chromium to some 33 million pixels, Firefox to 17), which
// a list of millions of calls exceeds. Beyond MOST_PIXELS the scroll bar is a scale model: small
// movements are those of rows, large ones are shares of the whole.

export const MOST_PIXELS = 8_000_000;
/** Movements of so many views are still those of rows: a pixel of the scroll bar itself is more than that. */
const SMALL = 6;

/**
 * The height of the element that is scrolled.
 * @param {number} rows
 * @param {number} rowHeight pixels
 */
export const scrolledHeight = (rows, rowHeight) => Math.min(rows * rowHeight, MOST_PIXELS);

/**
 * The pixel of the whole list at the top of the view, after the scroll bar moved.
 * @param {{top: number, bar: number}} before the pixel of the list, and the scroll bar's, before it
 * @param {number} bar the scroll bar's pixel now
 * @param {{rows: number, rowHeight: number, view: number}} size rows, and pixels of a row and the view
 * @returns {number} 0 to what lets the last row end at the end of the view
 */
export function listTop(before, bar, {rows, rowHeight, view}) {
  const whole = Math.max(0, rows * rowHeight - view);
  const range = Math.max(0, scrolledHeight(rows, rowHeight) - view);
  if (whole === range) {
    return Math.min(Math.max(0, bar), whole);
  }
  if (bar <= 0 || bar >= range) {
    return bar <= 0 ? 0 : whole;
  }
  const moved = bar - before.bar;
  const top = Math.abs(moved) <= SMALL * view ? before.top + moved : (bar / range) * whole;
  return Math.min(Math.max(0, top), whole);
}

/** Where the scroll bar belongs when the list's pixel `top` is at the top of the view. */
export function barFor(top, {rows, rowHeight, view}) {
  const whole = Math.max(0, rows * rowHeight - view);
  const range = Math.max(0, scrolledHeight(rows, rowHeight) - view);
  return whole === range || whole === 0 ? Math.min(top, range) : (top / whole) * range;
}

/** The list's pixel at which `index` is in view, as near as possible to `top`. */
export function reveal(index, top, {rowHeight, view}) {
  const from = index * rowHeight;
  if (from < top) {
    return from;
  }
  return from + rowHeight > top + view ? from + rowHeight - view : top;
}
