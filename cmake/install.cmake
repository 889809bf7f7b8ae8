# cmake --install: headers, libraries and what finds them (component "library"), and the program ("program").
include(CMakePackageConfigHelpers)

if(MOTET_LIBRARIES)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/motet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/motet)
  foreach(kind static shared)
    set(targets common ${motet_tasks})
    list(TRANSFORM targets REPLACE "(.+)" "motet_\\1_${kind}")
    install(TARGETS ${targets} EXPORT motet_${kind} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
    install(EXPORT motet_${kind} FILE motet-${kind}.cmake NAMESPACE motet:: DESTINATION ${package_folder}
      COMPONENT library)
  endforeach()
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/motetConfig.cmake.in motetConfig.cmake
    INSTALL_DESTINATION ${package_folder})
  # Before 1.0 a new minor version may break what was there.
  write_basic_package_version_file(motetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/motetConfig.cmake ${PROJECT_BINARY_DIR}/motetConfigVersion.cmake
    DESTINATION ${package_folder} COMPONENT library)

  set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH pc_prefix /prefix/${pc_folder} /prefix)
  foreach(component common ${motet_tasks})
    set(pc_name motet-${component})
    set(pc_requires motet)
    set(pc_private "")
    if(component STREQUAL "common")
      set(pc_name motet)
      set(pc_requires "")
      set(pc_private fmt)
    elseif(component STREQUAL "discover")
      set(pc_private "motet-temporal zlib")
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/motet.pc.in ${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${pc_folder} COMPONENT library)
  endforeach()
endif()

if(TARGET motet)
  install(TARGETS motet DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
