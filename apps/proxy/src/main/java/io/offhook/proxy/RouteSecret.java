package io.offhook.proxy;

import io.offhook.sip.proxy.RouteKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/**
 * What Record-Route is signed with. Dialogs outlive a process if the next one has the same: that of {@code users.secret-file},
 * which the proxies of a cluster share; else that of a file beside the registrations, which the first start makes; else it is
 * random, and the requests of dialogs from before a start are treated like those of strangers.
 */
final class RouteSecret {
    private static final String FILE = "route.secret";
    private static final String PURPOSE = "route";
    private static final int BYTES = 32;

    private RouteSecret() {}

    /**
     * The key. To be called when the store of registrations is open: it has made its folder, and locked it against other
     * processes.
     *
     * @throws IOException if a file cannot be read or written, or holds too little; the message says what to do
     */
    static RouteKey of(ProxyConfig.Registrations config) throws IOException {
        Path folder = config.location().directory();
        boolean hasFolder = folder != null && config.location().postgres() == null;
        if (folder == null || !hasFolder || config.users().secretFile() != null) {
            return RouteKey.of(config.users().secret(PURPOSE));
        }
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            make(file);
        }
        byte[] secret = Files.readAllBytes(file);
        if (secret.length != BYTES) {
            throw new IOException(file + " has " + secret.length + " bytes rather than " + BYTES
                    + "; without the file, the next start makes a new one, and calls in progress lose their way");
        }
        return RouteKey.of(secret);
    }

    /** Writes it beside and moves it into its place, so that an interrupted start leaves no half of it. */
    private static void make(Path file) throws IOException {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        Path beside = Path.of(file + ".new");
        Files.deleteIfExists(beside);
        boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownerOnly = isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        try (FileChannel out =
                FileChannel.open(beside, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly)) {
            ByteBuffer bytes = ByteBuffer.wrap(secret);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
