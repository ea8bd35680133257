package io.offhook.docbook.render;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook docbook}: renders a DocBook 5 document as HTML or PDF. */
public final class Main {
    /** The exit code for a wrong command line. */
    static final int MISUSE = 2;

    /** The exit code if the document cannot be read, or is not DocBook 5. */
    static final int UNREADABLE = 3;

    /** The exit code if the output cannot be written. */
    static final int UNWRITABLE = 74;

    private static final String USAGE = """
            Usage: offhook docbook FILE.xml -o OUT.html|OUT.pdf

            Renders a DocBook 5 document, as protoc-gen-docbook writes it, as one page of HTML or as PDF with its fonts
            embedded. Documents that it includes (XInclude) are read from files beside it; nothing comes from the network.

              -o, --output FILE   where to write; .html or .pdf says what

            docs/DOCBOOK.md describes how to make a book of .proto files.
            """;

    private Main() {}

    /** @param args as in the usage above */
    public static void main(String[] args) {
        // FOP and its libraries log through commons-logging what Offhook counts or reports itself
        System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
        System.setProperty("java.awt.headless", "true");
        System.exit(run(List.of(args), System.out, System.err));
    }

    /** As {@link #main}, but returns the exit code instead of exiting. */
    static int run(List<String> words, PrintStream out, PrintStream err) {
        if (words.contains("--help") || words.contains("-h")) {
            out.print(USAGE);
            return 0;
        }
        try {
            Path[] files = files(words);
            if (!Files.isRegularFile(files[0])) {
                err.println("offhook: there is no file " + files[0]);
                return UNREADABLE;
            }
            new BookRenderer(files[0]).render(files[1]).forEach(warning -> err.println("offhook: " + warning));
            return 0;
        } catch (MisuseException e) {
            err.println("offhook: " + e.getMessage());
            err.println("offhook: offhook docbook --help shows the usage");
            return MISUSE;
        } catch (UnreadableException e) {
            err.println("offhook: " + e.getMessage());
            return UNREADABLE;
        } catch (IOException e) {
            err.println("offhook: the output cannot be written: " + e.getMessage());
            return UNWRITABLE;
        }
    }

    /** Returns the document and the output. */
    private static Path[] files(List<String> words) throws MisuseException {
        List<String> documents = new ArrayList<>();
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-o") || word.equals("--output")) {
                i++;
                if (i == words.size()) {
                    throw new MisuseException(word + " needs a file");
                }
                outputs.add(words.get(i));
            } else if (word.startsWith("--output=")) {
                outputs.add(word.substring("--output=".length()));
            } else if (word.startsWith("-")) {
                throw new MisuseException("there is no option " + word);
            } else {
                documents.add(word);
            }
        }
        if (documents.size() != 1 || outputs.size() != 1) {
            throw new MisuseException("one document and one -o are needed");
        }
        String output = outputs.getFirst();
        if (!output.endsWith(BookRenderer.PDF) && !output.endsWith(BookRenderer.HTML)) {
            throw new MisuseException("-o " + output + ": a name that ends in .html or .pdf is needed");
        }
        return new Path[] {Path.of(documents.getFirst()), Path.of(output)};
    }

    /** A wrong command line. */
    private static final class MisuseException extends Exception {
        private static final long serialVersionUID = 1L;

        MisuseException(String message) {
            super(message);
        }
    }
}
