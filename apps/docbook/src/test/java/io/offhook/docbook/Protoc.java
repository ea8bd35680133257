package io.offhook.docbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The protoc that the build has fetched, or that of the PATH; without one, tests that need it are skipped. */
public final class Protoc {
    private static final Path FETCHED = Path.of("target/protoc/protoc").toAbsolutePath();

    private final List<Path> roots;

    /** What a program said, and how it ended. */
    public record Run(int code, String said) {}

    /** @param roots where .proto files are */
    public Protoc(Path... roots) {
        this.roots = List.of(roots);
    }

    private static Path program() {
        if (Files.exists(FETCHED)) {
            assertThat(FETCHED.toFile().setExecutable(true)).isTrue();
            return FETCHED;
        }
        List<Path> found = Arrays.stream(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "protoc"))
                .filter(Files::isExecutable)
                .toList();
        assumeThat(found).as("no protoc").isNotEmpty();
        return found.getFirst();
    }

    /** Runs it on files with further options. */
    public Run run(List<String> options, List<String> files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program().toString()));
        roots.forEach(root -> command.add("-I" + root));
        command.addAll(options);
        command.addAll(files);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), said);
    }

    /** The request that it would make of these files. */
    public CodeGeneratorRequest request(String parameter, List<String> files) throws IOException, InterruptedException {
        Path descriptors = Files.createTempFile("descriptors", ".pb");
        try {
            Run run = run(
                    List.of("--include_imports", "--include_source_info", "--descriptor_set_out=" + descriptors),
                    files);
            assertThat(run.code()).as(run.said()).isZero();
            return CodeGeneratorRequest.newBuilder()
                    .addAllFileToGenerate(files)
                    .setParameter(parameter)
                    .addAllProtoFile(FileDescriptorSet.parseFrom(Files.readAllBytes(descriptors))
                            .getFileList())
                    .build();
        } finally {
            Files.delete(descriptors);
        }
    }

    /** The documents that the plugin answers with, by name. */
    public Map<String, String> documents(String parameter, List<String> files)
            throws IOException, InterruptedException {
        CodeGeneratorResponse response = ProtocPlugin.respond(request(parameter, files));
        assertThat(response.getError()).isEmpty();
        Map<String, String> documents = new TreeMap<>();
        response.getFileList().forEach(file -> documents.put(file.getName(), file.getContent()));
        return documents;
    }

    /** The jar of protobuf, with the files that others import. */
    static Path protobufJar() {
        return Path.of(CodeGeneratorRequest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    /** Puts the .proto files of a jar into a folder, and returns their names. */
    static List<String> extract(Path jar, Path folder) throws IOException {
        try (FileSystem files = FileSystems.newFileSystem(jar);
                Stream<Path> all = Files.walk(files.getPath("/"))) {
            List<Path> found = all.filter(file -> file.toString().endsWith(".proto"))
                    .sorted()
                    .toList();
            for (Path file : found) {
                Path copy = folder.resolve(file.toString().substring(1));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
            return found.stream().map(file -> file.toString().substring(1)).toList();
        }
    }

    /** The .proto files of these tests: of each syntax, with everything that can be in one. */
    public static Protoc ofEverything() {
        return new Protoc(
                Path.of("src/test/resources/io/offhook/docbook/protos").toAbsolutePath());
    }

    /** Their names. */
    public static final List<String> EVERYTHING =
            List.of("all/two.proto", "all/three.proto", "all/edition.proto", "all/newest.proto");

    /** The one document of the book about them. */
    public static String everything() {
        try {
            return ofEverything()
                    .documents("title=Everything & <more>", EVERYTHING)
                    .getOrDefault(BookWriter.BOOK, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
