/** The machine's time in milliseconds since 1970. Nothing else reads it. */
export type MachineTime = () => number;
export const machineTime: MachineTime = Date.now;
