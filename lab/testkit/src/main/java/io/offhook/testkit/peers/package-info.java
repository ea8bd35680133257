/** Programs with which Offhook is compared or tested: compilers, tools of the system, other JVMs. */
@NullMarked
package io.offhook.testkit.peers;

import org.jspecify.annotations.NullMarked;
