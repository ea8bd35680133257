package io.offhook.live;

import io.offhook.filter.FilterException;
import org.jspecify.annotations.Nullable;

/** That a backend cannot capture what was asked for: what failed, and why. */
public final class CaptureRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int linkType;

    /**
     * For any reason but the filter.
     *
     * @param message which may begin with the interface's name
     * @param cause null for none
     */
    public CaptureRefusedException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
        linkType = -1;
    }

    /**
     * For the filter is none, or none for these frames.
     *
     * @param linkType of the frames that it was compiled for
     */
    public CaptureRefusedException(int linkType, FilterException cause) {
        super(cause.getMessage(), cause);
        this.linkType = linkType;
    }

    /** Why the filter was refused, for {@link #linkType}; null where that is not the reason. */
    public @Nullable FilterException filter() {
        return getCause() instanceof FilterException filter ? filter : null;
    }

    /** The {@link io.offhook.packet.LinkType} that the filter was compiled for; -1 where that is not the reason. */
    public int linkType() {
        return linkType;
    }
}
