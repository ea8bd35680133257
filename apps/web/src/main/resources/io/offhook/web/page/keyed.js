/** Whether the data of an address is a call that was opened with keys. */
export const isKeyed = (source) => (source ?? '').startsWith('k');
