package io.offhook.cli.filter;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
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

/** {@code offhook filter EXPRESSION}: the classic-BPF program of a filter expression. */
public final class FilterCommand implements Command {
    private static final int MAX_LINK_TYPE = 65_535;

    /** How the program is written: tcpdump's -d, -dd and -ddd. */
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
                "The expression, in the language of tcpdump: 'udp port 5060'. Several words are one expression.");
        spec.addOption(OptionSpec.builder("--link-type")
                .paramLabel("TYPE")
                .type(String.class)
                .description("What the packets begin with: a name as offhook info has it, or a LINKTYPE number"
                        + " (default: ether).")
                .build());
        spec.addOption(OptionSpec.builder("--snap-length")
                .paramLabel("N")
                .type(Integer.class)
                .description("What the program returns for a packet that matches (default: "
                        + FilterCompiler.DEFAULT_SNAP_LENGTH + ").")
                .build());
        spec.addOption(OptionSpec.builder("--code")
                .paramLabel("FORM")
                .type(Code.class)
                .description("assembly, c or decimal: as tcpdump -d, -dd and -ddd have it (default: assembly).")
                .build());
        spec.addOption(OptionSpec.builder("-O", "--unoptimized")
                .description("The program before optimisation, as tcpdump -O prints it.")
                .build());
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String expression = String.join(" ", arguments.parametersFrom(0));
        int linkType = linkType(arguments.matchedOptionValue("--link-type", LinkType.name(LinkType.ETHERNET)));
        int snapLength = arguments.matchedOptionValue("--snap-length", FilterCompiler.DEFAULT_SNAP_LENGTH);
        if (snapLength < 1) {
            throw new MisuseException("--snap-length " + snapLength + " is below 1");
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

    /** A name, or a number, of which there may be some without a name. */
    static int linkType(String text) {
        if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= MAX_LINK_TYPE) {
            return Integer.parseInt(text);
        }
        int named = LinkType.named(text);
        if (named >= 0) {
            return named;
        }
        throw new MisuseException("--link-type " + text
                + " is no name that offhook info prints, such as ether, linux-sll or rawip, and no number of 0 to "
                + MAX_LINK_TYPE);
    }
}
