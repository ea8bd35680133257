package io.offhook.cli.input;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A capture of which one pass meets frames that lie outside of their memory, at which the decoder throws. */
public final class FailingFiles {
    private FailingFiles() {}

    /** @param pass the one that fails, of those that open the file: 1 is the first */
    public static RereadableFiles of(Path file, int pass) {
        int[] opened = {0};
        return new RereadableFiles(
                List.of(file.toString()), source -> ++opened[0] == pass ? failing(source) : source, null);
    }

    private static PacketSource failing(PacketSource source) {
        return (PacketSource) Proxy.newProxyInstance(
                PacketSource.class.getClassLoader(), new Class<?>[] {PacketSource.class}, (_, method, args) -> {
                    try {
                        Object result = method.invoke(source, args);
                        if (method.getName().equals("next") && Boolean.TRUE.equals(result)) {
                            addImpossible((FrameBatch) args[0]);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }

    private static void addImpossible(FrameBatch batch) {
        if (!batch.isFull()) {
            long beyond = batch.segmentOf(0).byteSize();
            batch.add(0, beyond, 60, 60, batch.timestampNs(0), batch.interfaceIndex(0), batch.linkType(0));
        }
    }
}
