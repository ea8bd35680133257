package io.offhook.proxy.routing;

import org.jspecify.annotations.Nullable;

/** A {@link CallRouter} cannot be loaded. The message names the jar and what to do. */
public final class RouterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RouterException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
