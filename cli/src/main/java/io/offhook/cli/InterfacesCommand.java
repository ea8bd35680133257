package io.offhook.cli;

import io.offhook.dpdk.DpdkBackend;
import io.offhook.linux.LinuxException;
import io.offhook.linux.NetworkDevice;
import io.offhook.live.LiveInterface;
import io.offhook.packet.Endpoint;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** {@code offhook interfaces}: the network interfaces, and what is missing to capture from each. */
final class InterfacesCommand implements Command {
    /** Of CSV. */
    static final List<String> COLUMNS =
            List.of("name index state up mtu speedMbps linkAddress addresses backends".split(" ", -1));

    private final Supplier<List<LiveInterface>> lister;

    InterfacesCommand() {
        this(LiveInterface::all);
    }

    /** @param lister which interfaces there are; throws a {@link LinuxException} where the kernel does not tell */
    InterfacesCommand(Supplier<List<LiveInterface>> lister) {
        this.lister = lister;
    }

    @Override
    public void describe(CommandSpec spec) {
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            throw new MisuseException("live capture needs Linux; this is " + system);
        }
        List<LiveInterface> interfaces;
        try {
            interfaces = lister.get().stream().map(DpdkBackend::with).toList();
        } catch (LinuxException e) {
            throw LiveInput.unlisted(e);
        }
        switch (output.format()) {
            case TABLE -> table(interfaces, output, terminal);
            case JSON -> json(interfaces, terminal);
            case CSV -> csv(interfaces, terminal);
        }
        terminal.flush();
        return ExitCode.DONE;
    }

    private static void table(List<LiveInterface> interfaces, OutputOptions output, Terminal terminal)
            throws IOException {
        boolean colored = terminal.isColored(output.color());
        Table table = new Table(List.of(
                Table.Column.text("Interface", 100, 8),
                Table.Column.text("State", 90, 7),
                Table.Column.number("MTU", 40),
                Table.Column.number("Speed", 42),
                Table.Column.text("Link address", 35, 17),
                Table.Column.text("Addresses", 70, 12),
                Table.Column.text("Capture", 95, 8)));
        for (LiveInterface one : interfaces) {
            NetworkDevice device = one.device();
            Table.Row row = table.row()
                    .cell(device.name())
                    .cell(device.operationalState(), device.isUp() ? Style.PLAIN : Style.FAINT)
                    .cell(Decimals.grouped(device.mtu()))
                    .cell(speed(device.speedMbps()))
                    .cell(device.linkAddress())
                    .cell(String.join(" ", addresses(device)));
            StringBuilder capture = new StringBuilder();
            boolean isUsable = false;
            for (LiveInterface.Backend backend : one.backends()) {
                isUsable |= backend.isUsable();
                capture.append(capture.isEmpty() ? "" : ", ").append(backend.name());
                capture.append(backend.isUsable() ? "" : ": " + backend.missing());
            }
            row.cell(capture.toString(), isUsable ? Style.GOOD : Style.BAD);
        }
        table.print(terminal, colored);
        remedies(interfaces, terminal);
    }

    /** What would help, each command once. */
    private static void remedies(List<LiveInterface> interfaces, Terminal terminal) throws IOException {
        List<String> commands = interfaces.stream()
                .flatMap(one -> one.backends().stream())
                .map(LiveInterface.Backend::remedy)
                .filter(remedy -> remedy != null)
                .distinct()
                .toList();
        if (commands.isEmpty()) {
            return;
        }
        terminal.out().append("\nWhat would help:\n");
        for (String command : commands) {
            terminal.out().append("  ").append(Text.printable(command)).append('\n');
        }
    }

    /** With their prefix lengths; those of IPv6 as RFC 5952 has them. */
    private static List<String> addresses(NetworkDevice device) {
        return device.addresses().stream()
                .map(address -> {
                    int slash = address.indexOf('/');
                    return Endpoint.of(address.substring(0, slash), 0).addressText() + address.substring(slash);
                })
                .toList();
    }

    private static String speed(int mbps) {
        return mbps < 0 ? "" : mbps % 1000 == 0 && mbps > 0 ? mbps / 1000 + " Gb/s" : mbps + " Mb/s";
    }

    private static void json(List<LiveInterface> interfaces, Terminal terminal) throws IOException {
        try (JsonFields json = JsonFields.of(terminal)) {
            json.object().array("interfaces");
            for (LiveInterface one : interfaces) {
                json.line().object();
                write(json, one);
                json.array("backends");
                for (LiveInterface.Backend backend : one.backends()) {
                    json.object()
                            .field("name", backend.name())
                            .field("usable", backend.isUsable())
                            .field("missing", backend.missing())
                            .field("remedy", backend.remedy())
                            .end();
                }
                json.end().end();
            }
            json.line().end().end();
        }
    }

    private static void csv(List<LiveInterface> interfaces, Terminal terminal) throws IOException {
        CsvFields csv = CsvFields.of(terminal, COLUMNS);
        for (LiveInterface one : interfaces) {
            write(csv, one);
            csv.array("backends");
            for (LiveInterface.Backend backend : one.backends()) {
                csv.element(backend.isUsable() ? backend.name() : backend.name() + ": " + backend.missing());
            }
            csv.end();
            csv.endRecord();
        }
    }

    private static void write(FieldWriter out, LiveInterface one) {
        NetworkDevice device = one.device();
        out.field("name", device.name())
                .field("index", device.index())
                .field("state", device.operationalState())
                .field("up", device.isUp())
                .field("mtu", device.mtu());
        int speed = device.speedMbps();
        if (speed < 0) {
            out.nullField("speedMbps");
        } else {
            out.field("speedMbps", speed);
        }
        out.field("linkAddress", device.linkAddress().isEmpty() ? null : device.linkAddress())
                .array("addresses");
        addresses(device).forEach(out::element);
        out.end();
    }
}
