/** Programs that Offhook is held against or tested with: compilers, tools of the system, other JVMs. */
@NullMarked
package io.offhook.testkit.peers;

import org.jspecify.annotations.NullMarked;
