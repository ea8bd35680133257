package io.offhook.cli.serve;

import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.InputStream;
import java.util.List;

/** Files that arrive as a live capture of several interfaces does, one file each, by the times of their frames. */
final class FilesAtInputs extends WrappedSource implements LiveSource {
    private final PacketSource source;
    private final List<String> files;
    private final List<CaptureInterface> interfaces;

    /** @param names of the interfaces, which are Ethernet; as many as files */
    FilesAtInputs(List<String> files, List<String> names) {
        this(CaptureFiles.open(files, InputStream.nullInputStream()), files, names);
    }

    private FilesAtInputs(PacketSource source, List<String> files, List<String> names) {
        super(source);
        this.source = source;
        this.files = files;
        interfaces = names.stream()
                .map(name -> new CaptureInterface(name, LinkType.ETHERNET, 1 << 16, 1_000_000, 0, name))
                .toList();
    }

    @Override
    public boolean next(FrameBatch batch) {
        boolean isMore = source.next(batch);
        for (int i = 0; i < batch.count(); i++) {
            int input = batch.interfaceIndex(i);
            if (!source.interfaces().get(input).file().equals(files.get(input))) {
                throw new IllegalStateException("interface " + input + " is not of " + files.get(input));
            }
        }
        return isMore;
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return interfaces;
    }

    @Override
    public boolean isLive() {
        return true;
    }

    @Override
    public void release(FrameBatch batch) {
        batch.clear(1);
    }

    @Override
    public void stop() {
        // ends by itself
    }

    @Override
    public LiveCounts counts() {
        return LiveCounts.NONE;
    }

    @Override
    public LiveCounts counts(int interfaceIndex) {
        return LiveCounts.NONE;
    }
}
