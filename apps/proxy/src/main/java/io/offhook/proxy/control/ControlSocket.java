package io.offhook.proxy.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** Where the control socket is, and how it is made so that nobody but its owner reaches it. */
public final class ControlSocket {
    /** The longest path of a socket in octets (sun_path of unix(7), with its end). */
    public static final int MOST_PATH_OCTETS = 107;

    private static final String NAME = "proxy.control";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> SOCKET = PosixFilePermissions.fromString("rw-------");

    private ControlSocket() {}

    /**
     * The path if a configuration names none: below {@code XDG_RUNTIME_DIR}; of root without it, below {@code /run}; else a
     * folder of the user in that for temporary files.
     *
     * @param environment of the process
     * @param user the name of the user
     */
    public static Path usual(Map<String, String> environment, String user) {
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtime.isEmpty()) {
            return Path.of(runtime, "offhook", NAME);
        }
        if (user.equals("root")) {
            return Path.of("/run/offhook", NAME);
        }
        return Path.of(System.getProperty("java.io.tmpdir"), "offhook-" + user, NAME);
    }

    /**
     * Opens the socket: its folder is made with mode 0700, or must be the user's and closed to others; the socket gets mode
     * 0600; one that a proxy left behind is removed.
     *
     * @throws ControlException if another proxy answers there, or the folder is open to others
     * @throws IOException if the system refuses
     */
    static ServerSocketChannel open(Path path) throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MOST_PATH_OCTETS) {
            throw new ControlException("the path of the control socket has " + length + " octets, and the system takes "
                    + MOST_PATH_OCTETS + ": " + path + "; choose a shorter one");
        }
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null) {
            throw new ControlException(path + " is no path of a socket");
        }
        prepare(folder);
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            removeStale(path);
        }
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, SOCKET); // until here, the folder keeps others away
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void prepare(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Path above = folder.getParent();
            if (above != null) {
                Files.createDirectories(above);
            }
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            return;
        }
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()
                || !OWNER_ONLY.containsAll(attributes.permissions())
                || !Files.getOwner(folder).equals(self(folder))) {
            throw new ControlException("the folder of the control socket, " + folder + ", is "
                    + PosixFilePermissions.toString(attributes.permissions()) + " of "
                    + attributes.owner().getName() + "; it must be rwx------ of the user of the proxy: chmod 700 "
                    + folder + ", or choose another");
        }
    }

    /** The user of this process, as the owner of a file that it makes. */
    private static Object self(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, ".owner", null);
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }

    private static void removeStale(Path path) throws IOException {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new ControlException(path + " exists and is no socket; choose another path");
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            Files.deleteIfExists(path); // nobody listens: a proxy that was killed left it behind
            return;
        }
        throw new ControlException("another proxy answers at " + path + "; end it, or choose another path");
    }
}
