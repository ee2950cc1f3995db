/** Version of the package, the command line and the service surface. A test holds it against package.json. */
export const TOOL_VERSION = "0.7.0";
export const TOOL_NAME = "archivetool";
