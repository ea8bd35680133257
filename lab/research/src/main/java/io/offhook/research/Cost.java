package io.offhook.research;

/**
 * What a technique takes besides time, for one packet or message.
 *
 * @param group of its measurements
 * @param technique as in its measurements
 * @param copies how often the data are copied, to Java and back: 0 in place; text, as it may depend on something
 * @param calls across the boundary, and those that native code makes to Java or to functions of JNI meanwhile
 * @param lines of Java and C that the technique needs by itself, each method with its signature, without blank lines and
 *     comments; declarations, libraries and generated code do not count
 */
public record Cost(String group, String technique, String copies, String calls, int lines) {}
