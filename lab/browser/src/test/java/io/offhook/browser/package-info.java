/** The page of {@code offhook serve} as people use it: in Chromium, against the command itself. */
package io.offhook.browser;
