/**
 * What it costs to receive HEP: {@link io.offhook.bench.hep.HepReceiving} is the program. It sends itself packets over TCP as
 * fast as they are taken, and reports the processor time of each thread that receives them and analyses what they carry.
 */
@NullMarked
package io.offhook.bench.hep;

import org.jspecify.annotations.NullMarked;
