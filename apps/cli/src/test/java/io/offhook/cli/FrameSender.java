package io.offhook.cli;

import io.offhook.live.packetsocket.PacketSocketSink;
import io.offhook.live.packetsocket.PacketSocketSinkOptions;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;

/**
 * A process that sends the frames of a capture file on an interface of its network namespace, as fast as they go, once for
 * each line that it reads, and answers each with "sent".
 */
final class FrameSender {
    private FrameSender() {}

    public static void main(String[] args) throws Exception {
        try (PacketSocketSink sink = PacketSocketSink.open(PacketSocketSinkOptions.of(args[0]))) {
            System.out.println("ready");
            while (System.in.read() == '\n') {
                send(args[1], sink);
                System.out.println("sent");
            }
        }
    }

    private static void send(String file, PacketSocketSink sink) {
        long before = sink.counts().sent();
        long frames = 0;
        FrameBatch batch = new FrameBatch(1024);
        try (PacketSource source = CaptureFiles.open(file)) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    sink.write(batch, i);
                }
                frames += batch.count();
                sink.flush();
            }
        }
        if (sink.counts().sent() - before != frames) {
            throw new IllegalStateException("of " + frames + " frames the kernel took " + sink.counts());
        }
    }
}
