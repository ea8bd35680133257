package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.pcap.WrappedSource;
import java.util.List;

/** A live source around another one, which it answers by, starts, stops and closes. Subclasses override what they change. */
public abstract class WrappedLiveSource extends WrappedSource implements LiveSource {
    private final LiveSource source;

    /**
     * Wraps a source.
     *
     * @param source the source; closing this one closes it
     */
    protected WrappedLiveSource(LiveSource source) {
        super(source);
        this.source = source;
    }

    @Override
    public boolean isLive() {
        return source.isLive();
    }

    @Override
    public void start() {
        source.start();
    }

    @Override
    public void stop() {
        source.stop();
    }

    @Override
    public LiveCounts counts() {
        return source.counts();
    }

    @Override
    public LiveCounts counts(int interfaceIndex) {
        return source.counts(interfaceIndex);
    }

    @Override
    public List<String> notes() {
        return source.notes();
    }

    @Override
    public List<NetworkDevice> devices() {
        return source.devices();
    }
}
