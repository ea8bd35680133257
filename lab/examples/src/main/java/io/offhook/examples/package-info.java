/**
 * Short programs that show the packet library, one thing each: start with {@link io.offhook.examples.CountProtocols}.
 * docs/LIBRARY.md describes the types; the tests of this module run every program.
 */
package io.offhook.examples;
