package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import java.io.File;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What several capture files say of themselves as a whole, for the one section that they become. Comments on the first
 * section of each file are comments on that, each one of its own; hardware, system and application stay where all files say
 * the same, else they become comments that name the file. What later sections say, which is known too late for the
 * header, goes to the next interface that they describe. With several files, each interface has a comment that names its
 * file.
 */
final class PcapNgSectionNotes {
    private static final int LAST_TEXT = 4;
    /** Of texts in the header, and of those that wait for an interface of a file: what is beyond is left out. */
    private static final int MOST_BYTES = 4 << 20;

    private static final String[] MEANINGS = {"", "", "hardware", "operating system", "application"};
    private static final String APPLICATION = "Offhook";

    private final List<RecordCursor> cursors;
    private final ByteOrder order;
    private final CopyRules rules;
    private final PcapNgOptionsView view = new PcapNgOptionsView();
    private final PcapNgOptions none;
    /** How many sections of each file began. */
    private final int[] sections;

    private final List<List<String>> pending = new ArrayList<>();
    private final long[] pendingBytes;
    private final PcapNgOptions ofFile;
    private long ofFileBytes;
    private long leftOut;

    /** @param cursors at their first records, which are section headers where they are pcapng */
    PcapNgSectionNotes(List<RecordCursor> cursors, ByteOrder order, CopyRules rules) {
        this.cursors = cursors;
        this.order = order;
        this.rules = rules;
        pendingBytes = new long[cursors.size()];
        none = new PcapNgOptions(order);
        sections = new int[cursors.size()];
        cursors.forEach(_ -> pending.add(new ArrayList<>()));
        ofFile = new PcapNgOptions(order);
        List<TreeMap<Integer, String>> texts = new ArrayList<>();
        for (RecordCursor cursor : cursors) {
            TreeMap<Integer, String> of = new TreeMap<>();
            if (cursor.isPcapNg()) {
                cursor.block().options(view);
                while (view.next()) {
                    if (!isKept()) {
                        leftOut++;
                    } else if (view.code() == PcapNgOptionsView.COMMENT) {
                        comment(view.text());
                    } else {
                        of.put(view.code(), view.text());
                    }
                }
            }
            texts.add(of);
        }
        boolean isSame = texts.stream().allMatch(texts.getFirst()::equals)
                && !texts.getFirst().isEmpty();
        if (!isSame) {
            for (int i = 0; i < texts.size(); i++) {
                String name = nameOf(i);
                texts.get(i).forEach((code, text) -> comment(name + ": " + MEANINGS[code] + ": " + text));
            }
            ofFile.text(LAST_TEXT, APPLICATION);
        } else {
            texts.getFirst().forEach(ofFile::text);
        }
    }

    /** Whether the option at hand has a place: it is a text, and wanted. */
    private boolean isKept() {
        return view.code() <= LAST_TEXT && rules.keepsOption(PcapNgBlock.SECTION_HEADER, view.code());
    }

    private void comment(String text) {
        ofFileBytes += text.length();
        if (ofFileBytes <= MOST_BYTES) {
            ofFile.comment(text);
        } else {
            leftOut++;
        }
    }

    private String nameOf(int rank) {
        String path = cursors.get(rank).input().describe().path();
        int separator = Math.max(path.lastIndexOf('/'), path.lastIndexOf(File.separatorChar));
        return path.equals("-") ? "standard input" : path.substring(separator + 1);
    }

    /** Options of the section header. */
    PcapNgOptions ofFile() {
        return ofFile;
    }

    /** No options, in the section's byte order. */
    PcapNgOptions none() {
        return none;
    }

    /** A section of a file begins: what the first ones say is in the header already. */
    void section(int rank, PcapNgBlockView header) {
        sections[rank]++;
        if (sections[rank] == 1) {
            return;
        }
        String section = "section " + sections[rank] + ": ";
        header.options(view);
        while (view.next()) {
            if (!isKept() || pendingBytes[rank] > MOST_BYTES) {
                leftOut++;
            } else {
                pendingBytes[rank] += view.length();
                String meaning = view.code() == PcapNgOptionsView.COMMENT ? "" : MEANINGS[view.code()] + ": ";
                pending.get(rank).add(section + meaning + view.text());
            }
        }
    }

    /** What an interface of a file is told besides, once. */
    PcapNgOptions ofInterface(int rank) {
        PcapNgOptions options = new PcapNgOptions(order);
        if (cursors.size() > 1) {
            options.comment("from " + nameOf(rank));
        }
        pending.get(rank).forEach(options::comment);
        pending.get(rank).clear();
        pendingBytes[rank] = 0;
        return options;
    }

    /** Options of section headers that no place was found for. */
    long leftOut() {
        return leftOut;
    }
}
