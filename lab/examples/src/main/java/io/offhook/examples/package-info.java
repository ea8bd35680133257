/**
 * Short programs that show the packet library, one thing each: start with {@link io.offhook.examples.CountProtocols}.
 * docs/LIBRARY.md tells what the types are; the tests of this module run every program.
 */
package io.offhook.examples;
