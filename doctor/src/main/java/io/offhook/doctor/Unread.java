package io.offhook.doctor;

/**
 * What could not be looked at.
 *
 * @param what it would have told
 * @param path the file or call
 * @param reason why not
 * @param remedy what would help; empty where nothing does
 */
public record Unread(String what, String path, String reason, String remedy) {}
