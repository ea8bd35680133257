package io.offhook.doctor;

/**
 * A value that could not be read.
 *
 * @param what what it would have shown
 * @param path the file or system call
 * @param reason why it could not be read
 * @param remedy what would help; empty if nothing does
 */
public record Unread(String what, String path, String reason, String remedy) {}
