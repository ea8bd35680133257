/**
 * Packet filters in the language of pcap-filter(7). {@code FilterCompiler} compiles an expression to a
 * {@link io.offhook.filter.BpfProgram} of classic BPF, with the instructions that libpcap generates and the kernel
 * accepts. {@code BpfCompiler} translates a program to JVM bytecode as fast as hand-written code;
 * {@code BpfInterpreter} is the reference implementation; {@code BpfListing} prints a program as {@code tcpdump -d}
 * does.
 */
@NullMarked
package io.offhook.filter;

import org.jspecify.annotations.NullMarked;
