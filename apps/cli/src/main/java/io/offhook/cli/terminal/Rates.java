package io.offhook.cli.terminal;

import io.offhook.report.text.Decimals;

/** Formats packets and bits per second. */
public final class Rates {
    private Rates() {}

    /** "1,000 packets/s, 1.2 Mbit/s". */
    public static String text(double framesPerSecond, double bitsPerSecond) {
        if (!Double.isFinite(framesPerSecond)) {
            return "no time to speak of";
        }
        return packets(framesPerSecond) + ", " + bits(bitsPerSecond);
    }

    public static String packets(double perSecond) {
        String number = perSecond >= 1000 ? Decimals.grouped(Math.round(perSecond)) : Decimals.shortest(perSecond, 1);
        return number + " packets/s";
    }

    public static String bits(double perSecond) {
        String[] units = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s"};
        int unit = 0;
        double amount = perSecond;
        while (amount >= 999.95 && unit < units.length - 1) {
            amount /= 1000;
            unit++;
        }
        return Decimals.text(amount, unit == 0 ? 0 : 1) + " " + units[unit];
    }
}
