import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Makes {@code apps/cli/target/package/offhook_VERSION_ARCHITECTURE.deb} of the image that {@link MakeImage} made: Offhook in
 * /usr/lib/offhook, manuals and completions where Debian has them, the units of docs/systemd. {@code java MakePackage.java ROOT
 * VERSION TIME}; if there is no dpkg-deb, it says so and makes nothing.
 *
 * <p>Equal images make equal packages: all times are TIME, and the AOT cache, which differs each time that it is made, is left
 * out. The package makes its own when it is installed.
 */
final class MakePackage {
    private static final String HOME = "usr/lib/offhook";
    private static final String DOC = "usr/share/doc/offhook";

    private final Path root;
    private final Path image;
    private final Path target;
    private final Path tree;
    private final String version;
    private final Instant time;

    private MakePackage(Path root, String version, Instant time) {
        this.root = root;
        // "~" sorts before the release, "-" after it
        this.version = version.replace('-', '~');
        this.time = time;
        image = root.resolve("apps/cli/target/image/offhook");
        target = root.resolve("apps/cli/target/package");
        tree = target.resolve("offhook");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        String path = System.getenv("PATH");
        if (Stream.of(path.split(":")).noneMatch(folder -> Files.isExecutable(Path.of(folder, "dpkg-deb")))) {
            System.out.println("No package is made: there is no dpkg-deb in PATH.");
            return;
        }
        new MakePackage(Path.of(args[0]).toRealPath(), args[1], Instant.parse(args[2])).make();
    }

    private void make() throws IOException, InterruptedException {
        MakeImage.delete(target);
        programs();
        manuals();
        documents();
        services();
        String architecture = architecture();
        control(architecture);
        normalise();
        Path file = target.resolve("offhook_" + version + "_" + architecture + ".deb");
        // one thread: the bytes must not depend on the number of processors
        MakeImage.execute(
                target,
                Map.of("SOURCE_DATE_EPOCH", Long.toString(time.getEpochSecond()), "DPKG_DEB_THREADS_MAX", "1"),
                "dpkg-deb",
                "--root-owner-group",
                "-Zxz",
                "--build",
                tree.toString(),
                file.toString());
    }

    private void programs() throws IOException {
        copyAll(image.resolve("lib"), HOME + "/lib");
        copyAll(image.resolve("runtime"), HOME + "/runtime");
        copyAll(image.resolve("samples"), HOME + "/samples");
        put(image.resolve("bin/offhook"), HOME + "/bin/offhook");
        Files.createSymbolicLink(folder("usr/bin").resolve("offhook"), Path.of("../lib/offhook/bin/offhook"));
    }

    /** All files below a folder of the image, except the AOT cache. */
    private void copyAll(Path from, String to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(file -> !file.toString().endsWith(".aot")).toList()) {
                if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    put(file, to + "/" + from.relativize(file));
                }
            }
        }
    }

    private void manuals() throws IOException {
        try (Stream<Path> pages = Files.list(image.resolve("share/man/man1"))) {
            for (Path page : pages.toList()) {
                compress(Files.readAllBytes(page), "usr/share/man/man1/" + page.getFileName());
            }
        }
        put(image.resolve("share/bash-completion/completions/offhook"), "usr/share/bash-completion/completions/offhook");
        put(image.resolve("share/zsh/site-functions/_offhook"), "usr/share/zsh/vendor-completions/_offhook");
        put(
                image.resolve("share/fish/vendor_completions.d/offhook.fish"),
                "usr/share/fish/vendor_completions.d/offhook.fish");
    }

    private void documents() throws IOException {
        put(source("copyright"), DOC + "/copyright");
        put(source("README.Debian"), DOC + "/README.Debian");
        compress(Files.readAllBytes(root.resolve("apps/cli/src/image/THIRD-PARTY.md")), DOC + "/THIRD-PARTY.md");
        compress(Files.readAllBytes(root.resolve("CHANGELOG.md")), DOC + "/CHANGELOG.md");
        // those that messages and manuals name
        for (String name : List.of("FILTER", "FORWARD", "LIVE", "OUTPUT", "PROTOCOLS", "SETTINGS")) {
            compress(Files.readAllBytes(root.resolve("docs/" + name + ".md")), DOC + "/" + name + ".md");
        }
        String date = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(time);
        String changelog = "offhook (" + version + ") unstable; urgency=medium\n\n  * CHANGELOG.md beside this file lists all"
                + " changes.\n\n -- " + field("Maintainer") + "  " + date + "\n";
        compress(changelog.getBytes(StandardCharsets.UTF_8), DOC + "/changelog");
    }

    private void services() throws IOException {
        Path units = root.resolve("docs/systemd");
        try (Stream<Path> files = Files.list(units)) {
            for (Path unit : files.filter(file -> file.toString().endsWith(".service")).toList()) {
                put(unit, "usr/lib/systemd/system/" + unit.getFileName());
            }
        }
        put(units.resolve("xdp.conf"), DOC + "/examples/xdp.conf");
        put(source("capture.conf"), "etc/offhook/capture.conf");
        put(source("calls.conf"), "etc/offhook/calls.conf");
        put(source("lintian-overrides"), "usr/share/lintian/overrides/offhook");
    }

    private void control(String architecture) throws IOException {
        StringBuilder sums = new StringBuilder();
        StringBuilder settings = new StringBuilder();
        long kibibytes = 0;
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted().toList()) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    String name = tree.relativize(file).toString();
                    sums.append(md5(Files.readAllBytes(file))).append("  ").append(name).append('\n');
                    kibibytes += (Files.size(file) + 1023) / 1024;
                    if (name.startsWith("etc/")) {
                        settings.append('/').append(name).append('\n');
                    }
                } else {
                    // as policy has it for folders and links
                    kibibytes++;
                }
            }
        }
        Path control = folder("DEBIAN");
        Files.writeString(
                control.resolve("control"),
                Files.readString(source("control"))
                        .replace("@VERSION@", version)
                        .replace("@ARCHITECTURE@", architecture)
                        .replace("@SIZE@", Long.toString(kibibytes)));
        Files.writeString(control.resolve("md5sums"), sums);
        Files.writeString(control.resolve("conffiles"), settings);
        for (String script : List.of("postinst", "prerm", "postrm")) {
            put(source(script), "DEBIAN/" + script);
        }
    }

    /** Gives all files the time of the release, and the permissions that Debian expects, whatever the umask was. */
    private void normalise() throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.filter(file -> !Files.isSymbolicLink(file)).toList()) {
                String name = file.toString();
                boolean runs = Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE)
                        && !name.endsWith(".so");
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "rw-r--r--"));
                Files.setLastModifiedTime(file, FileTime.from(time));
            }
        }
    }

    private String architecture() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("dpkg", "--print-architecture")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String architecture = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("dpkg --print-architecture ends with " + process.exitValue());
        }
        return architecture;
    }

    /** A field of the control file. */
    private String field(String name) throws IOException {
        return Files.readAllLines(source("control")).stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElseThrow();
    }

    private Path source(String name) {
        return root.resolve("apps/cli/src/package").resolve(name);
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(tree.resolve(name));
    }

    private void put(Path file, String name) throws IOException {
        Path to = tree.resolve(name);
        Files.createDirectories(to.getParent());
        Files.copy(file, to, LinkOption.NOFOLLOW_LINKS);
    }

    /** Writes {@code name.gz}, whose header has no time. */
    private void compress(byte[] bytes, String name) throws IOException {
        Path to = tree.resolve(name + ".gz");
        Files.createDirectories(to.getParent());
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new BestCompression(compressed)) {
            out.write(bytes);
        }
        byte[] result = compressed.toByteArray();
        // the header's XFL: best compression, which gzip -9 notes and Java does not
        result[8] = 2;
        Files.write(to, result);
    }

    private static final class BestCompression extends GZIPOutputStream {
        BestCompression(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }

    private static String md5(byte[] bytes) {
        try {
            // what dpkg --verify compares; not for security
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
