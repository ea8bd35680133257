import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;

/**
 * Makes {@code apps/cli/target/image/offhook}, which runs where no Java is, and a tar.gz of it: the launcher, the jars, a runtime of
 * the JDK that runs this program, its AOT cache, licences and samples. The release profile runs it after packaging, by the
 * JDK of the toolchain: {@code java MakeImage.java ROOT VERSION}.
 *
 * <p>A program and not a plugin, because plugins link with the Java that runs Maven, which may be 17.
 */
final class MakeImage {
    private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");

    private final Path root;
    private final Path target;
    private final Path image;

    private MakeImage(Path root) {
        this.root = root;
        target = root.resolve("apps/cli/target/image");
        image = target.resolve("offhook");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        new MakeImage(Path.of(args[0]).toRealPath()).make(args[1]);
    }

    private void make(String version) throws IOException, InterruptedException {
        delete(target);
        List<Path> jars = jars(root.resolve("apps/cli/target/lib"));
        copy(jars, image.resolve("lib"));
        copy(List.of(root.resolve("apps/cli/src/image/first-compiler.options")), image.resolve("lib"));
        copy(List.of(root.resolve("offhook"), root.resolve("offhook.cmd")), image.resolve("bin"));
        copy(List.of(root.resolve("LICENSE"), root.resolve("CHANGELOG.md")), image);
        copy(List.of(root.resolve("apps/cli/src/image/README.md"), root.resolve("apps/cli/src/image/THIRD-PARTY.md")), image);
        copy(
                List.of(
                        root.resolve("samples/README.md"),
                        root.resolve("samples/calls.pcap"),
                        root.resolve("samples/lossy.pcap")),
                image.resolve("samples"));
        link(modules(jars));
        // the launcher makes the AOT cache when it is first started
        execute(
                target,
                image.resolve(WINDOWS ? "bin/offhook.cmd" : "bin/offhook").toString(),
                "--version");
        if (!WINDOWS) {
            manuals();
        }
        String platform = WINDOWS ? "windows" : System.getProperty("os.name").replaceAll("[^A-Za-z0-9]", "");
        String name =
                "offhook-" + version + "-" + platform.toLowerCase(Locale.ROOT) + "-" + System.getProperty("os.arch");
        execute(target, "tar", "-czf", name + ".tar.gz", "offhook");
    }

    /** Man pages and completion scripts, by the command itself. */
    private void manuals() throws IOException, InterruptedException {
        String launcher = image.resolve("bin/offhook").toString();
        Path man = Files.createDirectories(image.resolve("share/man/man1"));
        execute(target, launcher, "man", man.toString());
        List<String> scripts = List.of(
                "bash:share/bash-completion/completions/offhook",
                "zsh:share/zsh/site-functions/_offhook",
                "fish:share/fish/vendor_completions.d/offhook.fish");
        for (String script : scripts) {
            Path file = image.resolve(script.substring(script.indexOf(':') + 1));
            Files.createDirectories(file.getParent());
            Process process = new ProcessBuilder(launcher, "completion", script.substring(0, script.indexOf(':')))
                    .redirectOutput(file.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(launcher + " completion ends with " + process.exitValue());
            }
        }
    }

    /** The command's jar and those that its manifest names: the folder may hold older ones, too. */
    private static List<Path> jars(Path lib) throws IOException {
        List<Path> jars = new ArrayList<>();
        Path main = lib.resolve("offhook-cli.jar");
        jars.add(main);
        try (JarFile jar = new JarFile(main.toFile())) {
            for (String name : jar.getManifest()
                    .getMainAttributes()
                    .getValue(Attributes.Name.CLASS_PATH)
                    .split(" ")) {
                jars.add(lib.resolve(name));
            }
        }
        return jars;
    }

    /** The modules of the JDK that the jars need. */
    private static String modules(List<Path> jars) {
        List<String> line = new ArrayList<>(List.of(
                "--print-module-deps",
                "--ignore-missing-deps",
                "--multi-release",
                "25",
                "--module-path",
                jars.getFirst().getParent().toString()));
        jars.forEach(jar -> line.add(jar.toString()));
        // jars without a module descriptor make it warn, before the one line that was asked for
        String modules = tool("jdeps", line.toArray(String[]::new)).strip().lines().reduce("", (_, last) -> last);
        // the driver of PostgreSQL has beans for graphical tools, which nothing here uses; mail needs the small module behind it
        return modules.replace("java.desktop,", "java.datatransfer,");
    }

    private void link(String modules) {
        tool(
                "jlink",
                "--add-modules",
                modules,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--compress",
                "zip-6",
                "--output",
                image.resolve("runtime").toString());
    }

    private static String tool(String name, String... args) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        int code = ToolProvider.findFirst(name).orElseThrow().run(writer, writer, args);
        if (code != 0) {
            throw new IllegalStateException(name + " ends with " + code + ": " + out);
        }
        return out.toString();
    }

    private static void copy(List<Path> files, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Path file : files) {
            Path copy = folder.resolve(file.getFileName());
            if (file.toString().endsWith(".jar") && NativeLibraries.hasForeign(file)) {
                NativeLibraries.copyOwn(file, copy);
            } else {
                // with its time: an AOT cache is for jars of certain times
                Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void execute(Path folder, String... command) throws IOException, InterruptedException {
        execute(folder, Map.of(), command);
    }

    /** Runs a command, with these variables besides those of the environment, and fails if it does. */
    static void execute(Path folder, Map<String, String> variables, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).inheritIO();
        builder.environment().putAll(variables);
        // such as OFFHOOK_JAVA_HOME
        builder.environment().keySet().removeIf(name -> name.startsWith("OFFHOOK_"));
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(String.join(" ", command) + " ends with " + code);
        }
    }

    /** Deletes a folder with all that is in it, if it exists. */
    static void delete(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
