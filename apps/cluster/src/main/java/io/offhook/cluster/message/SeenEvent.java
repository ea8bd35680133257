package io.offhook.cluster.message;

import io.offhook.cluster.event.Event;

/** An event, as the probe said it. */
public record SeenEvent(Event event) implements OperatorMessage {}
