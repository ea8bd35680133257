import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The native libraries in jars of others, of which an image needs those of its own system only: DuckDB's jar alone has 240 MB
 * of them.
 */
final class NativeLibraries {
    private static final Pattern LIBRARY = Pattern.compile(".*\\.(so|dylib|jnilib|dll)(_.*)?");

    /** Systems and processors, each by the names that jars give it. */
    private static final List<List<String>> SYSTEMS =
            List.of(List.of("linux"), List.of("darwin", "macos", "osx"), List.of("win"), List.of("freebsd"), List.of("aix"));

    private static final List<List<String>> PROCESSORS =
            List.of(List.of("amd64", "x86_64"), List.of("aarch64", "arm64"));

    private static final String HERE = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace("mac os x", "darwin");
    private static final String PROCESSOR = System.getProperty("os.arch").toLowerCase(Locale.ROOT);

    /** The libraries of JLine, which reaches the terminal by foreign functions; its module requires the jar that has them. */
    private static final String UNUSED = "org/jline/nativ/";

    private NativeLibraries() {}

    /** Whether a jar has libraries of other systems, or some that nothing loads. */
    static boolean hasForeign(Path jar) throws IOException {
        try (ZipFile from = new ZipFile(jar.toFile())) {
            return from.stream().anyMatch(NativeLibraries::isForeign);
        }
    }

    /** Copies a jar without the libraries of other systems; its time stays, for which an AOT cache looks. */
    static void copyOwn(Path jar, Path to) throws IOException {
        try (ZipFile from = new ZipFile(jar.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
            for (ZipEntry entry : from.stream().toList()) {
                if (isForeign(entry)) {
                    continue;
                }
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                try (InputStream in = from.getInputStream(entry)) {
                    in.transferTo(out);
                }
            }
        }
        Files.setLastModifiedTime(to, Files.getLastModifiedTime(jar));
    }

    /** Whether it is a library of a known system or processor that is not this one, or is not used; what cannot be said is kept. */
    private static boolean isForeign(ZipEntry entry) {
        String name = entry.getName().toLowerCase(Locale.ROOT);
        if (!LIBRARY.matcher(name).matches()) {
            return false;
        }
        if (name.startsWith(UNUSED)) {
            return true;
        }
        boolean isNamed = SYSTEMS.stream().flatMap(List::stream).anyMatch(name::contains);
        return isNamed && !(hasOwn(SYSTEMS, HERE, name) && hasOwn(PROCESSORS, PROCESSOR, name));
    }

    private static boolean hasOwn(List<List<String>> kinds, String own, String name) {
        return kinds.stream()
                .filter(names -> names.stream().anyMatch(own::startsWith))
                .flatMap(List::stream)
                .anyMatch(name::contains);
    }
}
