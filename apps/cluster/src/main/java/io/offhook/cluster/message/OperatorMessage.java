package io.offhook.cluster.message;

/** What one operator sends to another, or keeps. */
public sealed interface OperatorMessage permits SeenEvent, Namings, StreamSpan, Candidates, Takings, BoundStream {}
