/** Version of the package, the command line and the service API. A test compares it with package.json. */
export const TOOL_VERSION = "0.7.0";
export const TOOL_NAME = "archivetool";
