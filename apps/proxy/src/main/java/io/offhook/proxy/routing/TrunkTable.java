package io.offhook.proxy.routing;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.limit.AddressBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Finds the trunk that a request came from: the one with the longest block that contains the address. Immutable. */
public final class TrunkTable {
    private record Entry(AddressBlock block, String name, Trunk trunk) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Trunk> trunks;

    /**
     * Creates the table.
     *
     * @param trunks by name
     */
    public TrunkTable(Map<String, Trunk> trunks) {
        this.trunks = Map.copyOf(trunks);
        trunks.forEach((name, trunk) ->
                trunk.sources().forEach(source -> entries.add(new Entry(source.value(), name, trunk))));
        entries.sort(
                Comparator.comparingInt((Entry entry) -> entry.block().length()).reversed());
    }

    /**
     * The name of the trunk that sends from an address; "" if there is none, or if it is not trusted at this listener.
     *
     * @param source the address that the request came from
     * @param listener the name of the listener that received it
     */
    public String find(IpAddress source, String listener) {
        for (int i = 0, count = entries.size(); i < count; i++) {
            Entry entry = entries.get(i);
            if (entry.block().contains(source)) {
                return entry.trunk().isTrustedAt(listener) ? entry.name() : "";
            }
        }
        return "";
    }

    /**
     * The trunk of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Trunk trunk(String name) {
        Trunk trunk = trunks.get(name);
        if (trunk == null) {
            throw new IllegalArgumentException("there is no trunk " + name);
        }
        return trunk;
    }

    /** The addresses of all trunks, which are never banned. */
    public List<AddressBlock> sources() {
        return entries.stream().map(Entry::block).toList();
    }
}
