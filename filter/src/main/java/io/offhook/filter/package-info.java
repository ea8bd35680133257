/**
 * Which packets are wanted, said in the language of pcap-filter(7). {@code FilterCompiler} turns an expression into a
 * {@link io.offhook.filter.BpfProgram} of classic BPF, the same instructions that libpcap makes and the kernel takes;
 * {@code BpfInterpreter} runs one and says what is right, {@code BpfCompiler} makes JVM bytecode of it that runs as fast
 * as code written by hand, and {@code BpfListing} prints it as {@code tcpdump -d} does.
 */
@NullMarked
package io.offhook.filter;

import org.jspecify.annotations.NullMarked;
