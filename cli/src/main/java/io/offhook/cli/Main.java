package io.offhook.cli;

/** The {@code offhook} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("offhook");
    }
}
