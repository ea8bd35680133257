package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;

/**
 * {@code protoc-gen-docbook}: reads a {@code CodeGeneratorRequest} from standard input, and writes a
 * {@code CodeGeneratorResponse} with the book or a document in Markdown, or with an error that protoc shows, to standard output.
 */
public final class ProtocPlugin {
    /** Exit code if standard input is no request, as when a person starts the plugin. */
    static final int MISUSE = 2;

    /** Exit code if the response could not be written. */
    static final int UNWRITABLE = 74;

    private static final long FEATURES = CodeGeneratorResponse.Feature.FEATURE_PROTO3_OPTIONAL_VALUE
            | CodeGeneratorResponse.Feature.FEATURE_SUPPORTS_EDITIONS_VALUE;

    private ProtocPlugin() {}

    /** @param args none; protoc passes options in the request */
    public static void main(String[] args) {
        System.exit(run(System.in, System.out, System.err));
    }

    /** As {@link #main}, but returns the exit code instead of exiting. */
    static int run(InputStream in, OutputStream out, PrintStream err) {
        CodeGeneratorRequest request;
        try {
            request = CodeGeneratorRequest.parseFrom(in);
        } catch (InvalidProtocolBufferException e) {
            err.println("protoc-gen-docbook: standard input is not a request of protoc: " + e.getMessage());
            return MISUSE;
        } catch (IOException e) {
            err.println("protoc-gen-docbook: standard input cannot be read: " + e.getMessage());
            return MISUSE;
        }
        if (request.getFileToGenerateCount() == 0) {
            err.println("protoc-gen-docbook: a plugin of protoc, which starts it; see docs/DOCBOOK.md:");
            err.println("  protoc --plugin=protoc-gen-docbook --docbook_out=OUT FILE.proto...");
            return MISUSE;
        }
        try {
            respond(request).writeTo(out);
            out.flush();
            return 0;
        } catch (IOException e) {
            err.println("protoc-gen-docbook: the response cannot be written: " + e.getMessage());
            return UNWRITABLE;
        }
    }

    /** Returns the documents of the book, or the error that protoc is to show. */
    static CodeGeneratorResponse respond(CodeGeneratorRequest request) {
        CodeGeneratorResponse.Builder response = CodeGeneratorResponse.newBuilder()
                .setSupportedFeatures(FEATURES)
                .setMinimumEdition(Edition.EDITION_PROTO2_VALUE)
                .setMaximumEdition(Edition.EDITION_2024_VALUE);
        try {
            BookOptions options = BookOptions.parse(request.getParameter());
            ProtoFiles files = ProtoFiles.of(request);
            Map<String, String> documents = options.markdown().isEmpty()
                    ? new BookWriter(files, options).documents()
                    : Map.of(options.markdown(), new MarkdownWriter(files, options).document());
            documents.forEach(
                    (name, content) -> response.addFileBuilder().setName(name).setContent(content));
        } catch (OptionException e) {
            response.setError("--docbook_opt: " + e.getMessage());
        } catch (DescriptorValidationException e) {
            response.setError("a file that protoc accepted is refused by protobuf-java: " + e.getMessage());
        } catch (RuntimeException e) {
            StackTraceElement[] trace = e.getStackTrace();
            response.clearFile()
                    .setError("internal error (a bug in Offhook): " + e + (trace.length == 0 ? "" : " at " + trace[0]));
        }
        return response.build();
    }
}
