package io.offhook.docbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProtocPluginTest {
    private static final Path GOLDEN = Path.of("src/test/resources/io/offhook/docbook/everything.xml");

    @TempDir
    Path folder;

    private Path plugin = Path.of("");

    private record Answer(int code, ByteString out, String err) {}

    /** A program as protoc wants it, with the classes of these tests. */
    @BeforeEach
    void makePlugin() throws IOException {
        plugin = folder.resolve("protoc-gen-docbook");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Files.writeString(plugin, """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' io.offhook.docbook.ProtocPlugin
                """.formatted(java, System.getProperty("java.class.path")));
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
    }

    private Protoc.Run protoc(Path out, String... options) throws Exception {
        assumeThat(Path.of("/bin/sh")).exists();
        List<String> words = new ArrayList<>(List.of("--plugin=protoc-gen-docbook=" + plugin, "--docbook_out=" + out));
        words.addAll(List.of(options));
        return Protoc.ofEverything().run(words, Protoc.EVERYTHING);
    }

    private static Answer ask(byte[] request) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = ProtocPlugin.run(
                new ByteArrayInputStream(request), out, new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Answer(code, ByteString.copyFrom(out.toByteArray()), err.toString(StandardCharsets.UTF_8));
    }

    /** {@code -Doffhook.write=true} writes the file, to be looked at before it is kept. */
    @Test
    void describesEverythingThatAFileCanHave() throws IOException {
        String book = Protoc.everything();
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(GOLDEN, book);
        }
        assertThat(book).isEqualTo(Files.readString(GOLDEN));
    }

    @Test
    void writesTheBookWhereProtocIsTold() throws Exception {
        Protoc.Run run = protoc(folder, "--docbook_opt=title=Everything & <more>");
        assertThat(run.said()).doesNotContain("--docbook_out");
        assertThat(run.code()).isZero();
        assertThat(Files.readString(folder.resolve("book.xml"))).isEqualTo(Protoc.everything());
    }

    /** docs/DOCBOOK.md and samples/docbook/README.md have the command. */
    @Test
    void theSampleBookIsThatOfTheSampleFiles() throws Exception {
        Path sample = Path.of("../../samples/docbook").toAbsolutePath().normalize();
        Protoc.extract(Protoc.protobufJar(), folder);
        assertThat(new Protoc(sample.resolve("proto"), folder)
                        .documents(
                                "title=A small telephone system",
                                List.of("telephony/calls.proto", "telephony/media.proto")))
                .containsExactly(Map.entry("book.xml", Files.readString(sample.resolve("book.xml"))));
    }

    @Test
    void aWrongOptionIsShownByProtoc() throws Exception {
        Protoc.Run run = protoc(folder, "--docbook_opt=title=x", "--docbook_opt=spilt=file");
        assertThat(run.code()).isOne();
        assertThat(run.said())
                .contains(
                        "--docbook_out: --docbook_opt: there is no option spilt; there are title, split, toc, detached and")
                .doesNotContain("\tat ");
        assertThat(folder.resolve("book.xml")).doesNotExist();
    }

    @Test
    void declaresTheSyntaxesThatItUnderstands() throws Exception {
        CodeGeneratorResponse response =
                ProtocPlugin.respond(Protoc.ofEverything().request("", Protoc.EVERYTHING));
        assertThat(response.getSupportedFeatures()).isEqualTo(3);
        assertThat(response.getMinimumEdition()).isEqualTo(Edition.EDITION_PROTO2_VALUE);
        assertThat(response.getMaximumEdition()).isEqualTo(Edition.EDITION_2024_VALUE);
    }

    @Test
    void whatIsNoRequestIsAnErrorOnStandardError() {
        Answer answer = ask("hello, world".getBytes(StandardCharsets.UTF_8));
        assertThat(answer.code()).isEqualTo(ProtocPlugin.MISUSE);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).startsWith("protoc-gen-docbook: standard input is not a request of protoc");
    }

    @Test
    void aPersonWhoStartsItIsShownHow() {
        Answer answer = ask(new byte[0]);
        assertThat(answer.code()).isEqualTo(ProtocPlugin.MISUSE);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).contains("protoc --plugin=protoc-gen-docbook --docbook_out=OUT FILE.proto...");
    }

    @Test
    void anInconsistentRequestIsAnErrorOfTheResponse() throws IOException {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder().setName("a.proto");
        file.addMessageTypeBuilder()
                .setName("M")
                .addFieldBuilder()
                .setName("f")
                .setNumber(1)
                .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                .setTypeName(".no.such.Type");
        CodeGeneratorRequest unlinked = CodeGeneratorRequest.newBuilder()
                .addFileToGenerate("a.proto")
                .addProtoFile(file)
                .build();
        CodeGeneratorRequest missing =
                CodeGeneratorRequest.newBuilder().addFileToGenerate("b.proto").build();
        for (CodeGeneratorRequest request : List.of(unlinked, missing)) {
            Answer answer = ask(request.toByteArray());
            assertThat(answer.code()).isZero();
            assertThat(answer.err()).isEmpty();
            CodeGeneratorResponse response = CodeGeneratorResponse.parseFrom(answer.out());
            assertThat(response.getError())
                    .containsAnyOf("no.such.Type", "b.proto")
                    .doesNotContain("\n\tat ");
            assertThat(response.getFileList()).isEmpty();
        }
    }

    @Test
    void anOutputThatCannotBeWrittenIsReported() throws Exception {
        byte[] request = Protoc.ofEverything().request("", Protoc.EVERYTHING).toByteArray();
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = ProtocPlugin.run(new ByteArrayInputStream(request), full, new PrintStream(err));
        assertThat(code).isEqualTo(ProtocPlugin.UNWRITABLE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no space left");
    }
}
