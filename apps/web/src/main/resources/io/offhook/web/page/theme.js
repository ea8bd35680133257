// Runs before the first paint, so that a page opened in the dark theme never flashes white.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('offhook.theme');
  } catch {
    // Storage may be forbidden: the system's preference holds then.
  }
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
})();
