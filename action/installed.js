import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Path of the command, as installed in the project. @throws Error where it is not installed */
export function installedCommand() {
  const manifest = join(process.cwd(), 'package.json');
  try {
    const own = createRequire(manifest).resolve('billing-emulator/package.json');
    return join(own, '..', 'bin', 'billing-emulator.js');
  } catch {
    throw new Error(`${manifest}: billing-emulator is not installed. Run npm ci before this step.`);
  }
}

/** Ends the step with an annotation. */
export function fail(message) {
  // A line break would end the annotation.
  console.log(
    `::error title=Billing emulator::${message.replaceAll('%', '%25').replaceAll('\n', '%0A')}`,
  );
  process.exitCode = 1;
}
