internal import Configuration
internal import Server
