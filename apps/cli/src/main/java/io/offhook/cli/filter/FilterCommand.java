package io.offhook.cli.filter;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.filter.BpfListing;
import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.packet.LinkType;
import java.io.IOException;
import java.util.Locale;

/** {@code offhook filter EXPRESSION}: prints the classic BPF program of a filter expression. */
public final class FilterCommand implements Command {
    private static final int MAX_LINK_TYPE = 65_535;

    /** The form in which the program is printed: tcpdump's -d, -dd and -ddd. */
    enum Code {
        ASSEMBLY,
        C,
        DECIMAL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameters(
                "EXPRESSION",
                "A filter expression in the language of tcpdump: 'udp port 5060'. Several arguments form one expression.");
        spec.addOption(
                "--link-type",
                "TYPE",
                String.class,
                "The link type of the packets: a name, as printed by offhook info, or a LINKTYPE number"
                        + " (default: ether).");
        spec.addOption(
                "--snap-length",
                "N",
                Integer.class,
                "The value that the program returns for a matching packet (default: "
                        + FilterCompiler.DEFAULT_SNAP_LENGTH + ").");
        spec.addOption(
                "--code",
                "FORM",
                Code.class,
                "assembly (default), c or decimal: the formats of tcpdump -d, -dd and -ddd.");
        spec.addFlag("-O", "--unoptimized", "Print the program before optimisation, as tcpdump -O does.");
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String expression = String.join(" ", arguments.parametersFrom(0));
        int linkType = linkType(arguments.matchedOptionValue("--link-type", LinkType.name(LinkType.ETHERNET)));
        int snapLength = arguments.matchedOptionValue("--snap-length", FilterCompiler.DEFAULT_SNAP_LENGTH);
        if (snapLength < 1) {
            throw new MisuseException("--snap-length " + snapLength + " is less than 1");
        }
        BpfProgram program;
        try {
            program = arguments.hasMatchedOption("--unoptimized")
                    ? FilterCompiler.compileUnoptimized(expression, linkType, snapLength)
                    : FilterCompiler.compile(expression, linkType, snapLength);
        } catch (FilterException e) {
            terminal.flush();
            terminal.err().println("offhook: " + Text.printableLines(String.valueOf(e.getMessage())));
            return ExitCode.MISUSE;
        }
        terminal.out()
                .append(
                        switch (arguments.matchedOptionValue("--code", Code.ASSEMBLY)) {
                            case ASSEMBLY -> BpfListing.assembly(program);
                            case C -> BpfListing.initializers(program);
                            case DECIMAL -> BpfListing.decimal(program);
                        });
        return ExitCode.DONE;
    }

    /** Parses a link type, by name or by number. */
    static int linkType(String text) {
        if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= MAX_LINK_TYPE) {
            return Integer.parseInt(text);
        }
        int named = LinkType.named(text);
        if (named >= 0) {
            return named;
        }
        throw new MisuseException("--link-type " + text
                + " is neither a name, such as ether, linux-sll or rawip, nor a number from 0 to "
                + MAX_LINK_TYPE);
    }
}
