package io.offhook.live;

import io.offhook.filter.FilterException;
import org.jspecify.annotations.Nullable;

/** A backend cannot capture what was requested; the message says what failed, and why. */
public final class CaptureRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int linkType;

    /**
     * Creates an exception for any reason other than the filter.
     *
     * @param message what failed and why; it may begin with the name of the interface
     * @param cause the cause, or null
     */
    public CaptureRefusedException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
        linkType = -1;
    }

    /**
     * Creates an exception for a filter that is invalid, or not applicable to the frames.
     *
     * @param linkType the link type that it was compiled for
     */
    public CaptureRefusedException(int linkType, FilterException cause) {
        super(cause.getMessage(), cause);
        this.linkType = linkType;
    }

    /** Returns why the filter was refused, for {@link #linkType}; null if the filter is not the reason. */
    public @Nullable FilterException filter() {
        return getCause() instanceof FilterException filter ? filter : null;
    }

    /**
     * Returns the {@link io.offhook.packet.LinkType} that the filter was compiled for; -1 if the filter is not the
     * reason.
     */
    public int linkType() {
        return linkType;
    }
}
