package io.offhook.cli;

import io.offhook.dpdk.DpdkBackend;
import io.offhook.dpdk.PciCard;
import io.offhook.linux.LinuxException;
import io.offhook.linux.NetworkDevice;
import io.offhook.live.LibpcapInterface;
import io.offhook.live.LiveInterface;
import io.offhook.packet.Endpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** {@code offhook interfaces}: all that {@code -i} takes, and what is missing to capture from each. */
final class InterfacesCommand implements Command {
    /** Of CSV. */
    static final List<String> COLUMNS =
            List.of("name index state up mtu speedMbps linkAddress addresses backends".split(" ", -1));

    private final Supplier<List<LiveInterface>> lister;
    private final Supplier<List<PciCard>> cardLister;

    InterfacesCommand() {
        this(LiveInterface::all, PciCard::all);
    }

    /**
     * Of another machine's.
     *
     * @param lister which interfaces there are; throws a {@link LinuxException} where the kernel does not tell
     * @param cardLister which network cards there are on PCI
     */
    InterfacesCommand(Supplier<List<LiveInterface>> lister, Supplier<List<PciCard>> cardLister) {
        this.lister = lister;
        this.cardLister = cardLister;
    }

    /**
     * What can be captured from.
     *
     * @param interfaces of the kernel
     * @param others that libpcap alone knows
     * @param cards that DPDK could drive
     */
    private record Found(List<LiveInterface> interfaces, List<LibpcapInterface> others, List<PciCard> cards) {
        boolean hasDevices() {
            return !others.isEmpty() || !cards.isEmpty();
        }
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
        Found found = new Found(interfaces, LibpcapInterface.others(interfaces), cardLister.get());
        switch (output.format()) {
            case TABLE -> table(found, output, terminal);
            case JSON -> json(found, terminal);
            case CSV -> csv(found, terminal);
        }
        terminal.flush();
        return ExitCode.DONE;
    }

    private static void table(Found found, OutputOptions output, Terminal terminal) throws IOException {
        boolean colored = terminal.isColored(output.color());
        Table table = new Table(List.of(
                Table.Column.text("Interface", 100, 8),
                Table.Column.text("State", 90, 7),
                Table.Column.number("MTU", 40),
                Table.Column.number("Speed", 42),
                Table.Column.text("Link address", 35, 17),
                Table.Column.text("Addresses", 70, 12),
                Table.Column.text("Capture", 95, 8)));
        for (LiveInterface one : found.interfaces()) {
            NetworkDevice device = one.device();
            Table.Row row = table.row()
                    .cell(device.name())
                    .cell(device.operationalState(), device.isUp() ? Style.PLAIN : Style.FAINT)
                    .cell(Decimals.grouped(device.mtu()))
                    .cell(speed(device.speedMbps()))
                    .cell(device.linkAddress())
                    .cell(String.join(" ", addresses(device)));
            boolean isUsable = one.backends().stream().anyMatch(LiveInterface.Backend::isUsable);
            row.cell(
                    String.join(
                            ", ",
                            one.backends().stream().map(InterfacesCommand::told).toList()),
                    isUsable ? Style.GOOD : Style.BAD);
        }
        table.print(terminal, colored);
        if (found.hasDevices()) {
            terminal.out().append('\n');
            devices(found, terminal, colored);
        }
        remedies(found, terminal);
    }

    /** "xdp: the interface is down" */
    private static String told(LiveInterface.Backend backend) {
        return backend.isUsable() ? backend.name() : backend.name() + ": " + backend.missing();
    }

    private static void devices(Found found, Terminal terminal, boolean colored) throws IOException {
        Table table = new Table(List.of(
                Table.Column.text("Device", 100, 12),
                Table.Column.text("What it is", 70, 12),
                Table.Column.text("Capture", 95, 8)));
        for (LibpcapInterface other : found.others()) {
            device(table, other.name(), other.description(), other.backend());
        }
        for (PciCard card : found.cards()) {
            List<String> parts = new ArrayList<>(List.of(card.model()));
            parts.add(card.driver().isEmpty() ? "no driver" : "driver " + card.driver());
            parts.addAll(card.interfaces());
            device(table, card.address(), String.join(", ", parts), card.backend());
        }
        table.print(terminal, colored);
    }

    private static void device(Table table, String name, String description, LiveInterface.Backend backend) {
        table.row().cell(name).cell(description).cell(told(backend), backend.isUsable() ? Style.GOOD : Style.BAD);
    }

    /** What would help, each command once; what takes a card from the kernel stands apart: nobody is to type it with the rest. */
    private static void remedies(Found found, Terminal terminal) throws IOException {
        Set<String> commands = new LinkedHashSet<>();
        found.interfaces().forEach(one -> one.backends().forEach(backend -> add(commands, backend)));
        found.others().forEach(one -> add(commands, one.backend()));
        commands("What would help:", commands, terminal);
        Set<String> ofCards = new LinkedHashSet<>();
        Set<String> lost = new LinkedHashSet<>();
        for (PciCard card : found.cards()) {
            ofCards.addAll(card.remedies());
            lost.addAll(card.endingInterfaces());
        }
        String ending = lost.isEmpty() ? "" : ", where the kernel then loses " + String.join(", ", lost);
        commands("Only to give a card to DPDK" + ending + ":", ofCards, terminal);
    }

    private static void commands(String title, Set<String> commands, Terminal terminal) throws IOException {
        if (commands.isEmpty()) {
            return;
        }
        terminal.out().append('\n').append(title).append('\n');
        for (String command : commands) {
            terminal.out().append("  ").append(Text.printable(command)).append('\n');
        }
    }

    private static void add(Set<String> commands, LiveInterface.Backend backend) {
        String remedy = backend.remedy();
        if (remedy != null) {
            commands.add(remedy);
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

    private static void json(Found found, Terminal terminal) throws IOException {
        try (JsonFields json = JsonFields.of(terminal)) {
            json.object().array("interfaces");
            for (LiveInterface one : found.interfaces()) {
                json.line().object();
                write(json, one);
                backends(json, one.backends());
            }
            json.line().end().array("devices");
            for (LibpcapInterface other : found.others()) {
                json.line()
                        .object()
                        .field("name", other.name())
                        .field("description", other.description())
                        .field("driver", null)
                        .array("interfaces")
                        .end();
                backends(json, List.of(other.backend()));
            }
            for (PciCard card : found.cards()) {
                json.line()
                        .object()
                        .field("name", card.address())
                        .field("description", card.model())
                        .field("driver", card.driver().isEmpty() ? null : card.driver())
                        .array("interfaces");
                card.interfaces().forEach(json::element);
                json.end();
                backends(json, List.of(card.backend()));
            }
            json.line().end().end();
        }
    }

    private static void backends(JsonFields json, List<LiveInterface.Backend> backends) {
        json.array("backends");
        for (LiveInterface.Backend backend : backends) {
            json.object()
                    .field("name", backend.name())
                    .field("usable", backend.isUsable())
                    .field("missing", backend.missing())
                    .field("remedy", backend.remedy())
                    .end();
        }
        json.end().end();
    }

    private static void csv(Found found, Terminal terminal) throws IOException {
        CsvFields csv = CsvFields.of(terminal, COLUMNS);
        for (LiveInterface one : found.interfaces()) {
            write(csv, one);
            record(csv, one.backends());
        }
        for (LibpcapInterface other : found.others()) {
            csv.field("name", other.name());
            record(csv, List.of(other.backend()));
        }
        for (PciCard card : found.cards()) {
            csv.field("name", card.address());
            record(csv, List.of(card.backend()));
        }
    }

    private static void record(CsvFields csv, List<LiveInterface.Backend> backends) throws IOException {
        csv.array("backends");
        backends.forEach(backend -> csv.element(told(backend)));
        csv.end();
        csv.endRecord();
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
